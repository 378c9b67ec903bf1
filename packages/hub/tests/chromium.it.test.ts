import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { HttpTransportType } from '@microsoft/signalr'
import Fastify, { type FastifyInstance } from 'fastify'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { to } from '../src/types.ts'
import { TRANSPORTS_OF_CLIENT } from './support/client.ts'
import { startHub, type TestHub, until } from './support/server.ts'

/** The official client's browser build, in a real browser, from the hub's own origin and from another one. */

let t: TestHub
let elsewhere: FastifyInstance
let elsewhereOrigin: string
let browser: Browser

const script = createRequire(import.meta.url)
  .resolve('@microsoft/signalr')
  .replace(/dist.*/, 'dist/browser/signalr.js')

function servePage(app: FastifyInstance, source: string): void {
  app.get('/page', async (_request, reply) =>
    reply.type('text/html').send('<!doctype html><meta charset="utf-8"><script src="/signalr.js"></script>'),
  )
  app.get('/signalr.js', async (_request, reply) => reply.type('text/javascript').send(source))
}

beforeAll(async () => {
  const source = await readFile(script, 'utf8')
  elsewhere = Fastify({ forceCloseConnections: true })
  servePage(elsewhere, source)
  elsewhereOrigin = await elsewhere.listen({ host: '127.0.0.1', port: 0 })
  t = await startHub({ allowOrigin: (origin) => origin === elsewhereOrigin }, {}, (app) =>
    servePage(app, source),
  )
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
})
afterAll(async () => {
  await browser?.close()
  await t?.close()
  await elsewhere?.close()
})

/** A page with a started client in `window.client`; `window.log` collects what happens to it. */
async function open(origin: string, transport: HttpTransportType, token: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${origin}/page`)
  await page.evaluate(
    async ({ url, kind, user }) => {
      const { signalR } = window
      const client = new signalR.HubConnectionBuilder()
        .withUrl(url, { transport: kind, accessTokenFactory: () => user })
        .withAutomaticReconnect([0, 50, 200])
        .configureLogging(signalR.LogLevel.None)
        .build()
      window.client = client
      window.log = []
      client.on('send', (message) => void window.log.push(message))
      client.onreconnected(() => void window.log.push('reconnected'))
      client.onclose((error) => void window.log.push(`closed: ${error?.message}`))
      await client.start()
    },
    { url: t.url, kind: transport, user: token },
  )
  return page
}

const logOf = (page: Page): Promise<unknown[]> => page.evaluate(() => window.log)

async function untilLogged(page: Page, count: number): Promise<unknown[]> {
  await page.waitForFunction((n) => window.log.length >= n, count)
  return logOf(page)
}

describe.each(TRANSPORTS_OF_CLIENT)('the official client in Chromium over %s', (name, transport) => {
  test('calls, is called, comes back after a drain, stays away when shut out', async () => {
    const page = await open(t.origin, transport, `tab-${name}`)
    const connected = () => [...t.hub.connections()].find((one) => one.userId === `tab-${name}`)
    expect(connected()?.transport).toBe(name)

    expect(await page.evaluate(() => window.client.invoke('PingPong', 'Ping'))).toBe('Pong')
    expect(await untilLogged(page, 1)).toEqual([{ method: 'pingPong', message: 'Pong' }])

    const order = await page.evaluate(async () => {
      const came: number[] = []
      await Promise.all(
        Array.from({ length: 1000 }, (_, i) => window.client.invoke('Echo', i).then(() => came.push(i))),
      )
      return came
    })
    expect(order).toEqual(Array.from({ length: 1000 }, (_, i) => i))

    t.hub.send(to.user(`tab-${name}`), 'send', 'é😀\u2028')
    expect((await untilLogged(page, 2))[1]).toBe('é😀\u2028')

    t.hub.closeWhere((one) => one.userId === `tab-${name}`, { allowReconnect: true })
    expect((await untilLogged(page, 3))[2]).toBe('reconnected')
    await until(() => connected() !== undefined)

    t.hub.closeUser(`tab-${name}`, { error: 'Signed out.' })
    expect((await untilLogged(page, 4))[3]).toBe('closed: Server returned an error on close: Signed out.')
    await page.waitForTimeout(300)
    expect(connected()).toBeUndefined()
    await page.close()
  })

  test('works from another origin, which is told of a 401', async () => {
    const page = await open(elsewhereOrigin, transport, `far-${name}`)
    expect(await page.evaluate(() => window.client.invoke('PingPong', 'Ping'))).toBe('Pong')
    await page.evaluate(() => window.client.stop())
    // Its last record and the end of its stream race.
    await until(() => t.seen.some((line) => line.startsWith(`-far-${name}`)), 'the farewell')
    await expect(open(elsewhereOrigin, transport, 'bad')).rejects.toThrow(/401/)
    await page.close()
  })

  test('a closed tab is noticed', async () => {
    const page = await open(t.origin, transport, `gone-${name}`)
    await page.close()
    const gone = () => t.seen.some((line) => line.startsWith(`-gone-${name}`))
    // Over long polling a tab is gone when its next poll does not come.
    for (let i = 0; i < 40 && !gone(); i += 1) await t.clock.advance(1_000)
    await until(gone, 'the farewell')
  })
})
