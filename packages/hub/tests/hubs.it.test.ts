import http from 'node:http'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createHub } from '../src/hub.ts'
import { to } from '../src/types.ts'
import { bearer, newId, openHub, openPolling, poll, upgradeStatus } from './support/raw.ts'
import { startHub, until } from './support/server.ts'

const everybody = ({ token }: { token: string }) => ({ user: { name: token }, userId: token })

test('two hubs live on one server, each with its own paths and keys', async () => {
  const agents = createHub({ path: '/api/agent/stream', authenticate: everybody })
  const t = await startHub({}, {}, (app) => void app.register(agents.plugin))
  const agentsUrl = `${t.origin}/api/agent/stream`
  const browser = await openHub(t.url, 'ann')
  const agent = await openHub(agentsUrl, 'agent-1')
  t.hub.send(to.all, 'send', 'browsers')
  agents.send(to.all, 'offer', 'agents')
  await until(() => browser.received.length === 1 && agent.received.length === 1)
  expect(browser.received).toEqual([{ type: 1, target: 'send', arguments: ['browsers'] }])
  expect(agent.received).toEqual([{ type: 1, target: 'offer', arguments: ['agents'] }])
  const id = await newId(t.url)
  expect((await poll(agentsUrl, id)).status).toBe(404)
  expect((await upgradeStatus(`${agentsUrl}?id=${id}`, bearer('ann'))).status).toBe(404)
  browser.socket.terminate()
  agent.socket.terminate()
  await t.close()
})

test('an upgrade that nobody owns is refused, one that another listener owns is left to it', async () => {
  const t = await startHub()
  expect((await upgradeStatus(`${t.origin}/elsewhere`, bearer('ann'))).status).toBe(404)
  t.app.server.on('upgrade', (request, socket) => {
    if (request.url === '/elsewhere')
      socket.end('HTTP/1.1 418 Teapot\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  expect((await upgradeStatus(`${t.origin}/elsewhere`, bearer('ann'))).status).toBe(418)
  expect((await upgradeStatus(t.url, bearer('ann'))).status).toBe(101)
  await t.close()
})

test('a request that merely offers another protocol is served as ever', async () => {
  const t = await startHub({}, {}, (app) => app.get('/plain', async () => 'plain'))
  const body = await new Promise<string>((resolve, reject) => {
    http
      .get(`${t.origin}/plain`, { headers: { connection: 'Upgrade', upgrade: 'h2c' } }, (response) => {
        response.on('data', (chunk: Buffer) => resolve(chunk.toString()))
      })
      .on('error', reject)
  })
  expect(body).toBe('plain')
  await t.close()
})

test('one path is for one hub', async () => {
  const app = Fastify()
  await app.register(createHub({ path: '/hub', authenticate: everybody }).plugin)
  await expect(
    app.register(createHub({ path: '/hub', authenticate: everybody }).plugin).then(() => app.ready()),
  ).rejects.toThrow()
  await app.close()
})

test('a prefix moves the hub, its upgrades too', async () => {
  const hub = createHub({ path: '/hub', authenticate: everybody, limits: { drainMs: 100 } })
  const app = Fastify({ forceCloseConnections: true })
  await app.register(hub.plugin, { prefix: '/v1' })
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1/hub`
  const socket = await openHub(url)
  const id = await openPolling(url)
  expect([...hub.connections()].map((one) => one.transport)).toEqual(['WebSockets', 'LongPolling'])
  expect(id).not.toBe('')
  socket.socket.terminate()
  await hub.drain()
  await app.close()
})

test('hooks of the application run, and their headers come along with hijacked answers', async () => {
  const t = await startHub({}, {}, (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('x-frame-options', 'DENY')
    })
  })
  const first = await poll(t.url, await newId(t.url))
  expect(first.headers.get('x-frame-options')).toBe('DENY')
  await t.close()
})
