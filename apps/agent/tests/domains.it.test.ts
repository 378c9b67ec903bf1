import { writeFileSync, mkdirSync } from 'node:fs'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '@weft/contract/agents/jobs'
import type { Supervisor } from '../src/supervisor/supervisor.ts'
import { chain, startAgent, stopAgent, temporaryFolder } from './support/agent.ts'
import { FakeServer, until } from './support/server.ts'
import { sendHtml, startSite, type TestSite } from './support/site.ts'

describe('the limits of a run', () => {
  const server = new FakeServer()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let agent: Supervisor
  let allowed: TestSite
  let forbidden: TestSite

  beforeAll(async () => {
    folder = await temporaryFolder()
    forbidden = await startSite((_request, response) => sendHtml(response, '<h1>Forbidden</h1>'))
    allowed = await startSite((request, response) => {
      const path = request.url ?? ''
      if (path === '/redirect') {
        response.writeHead(302, { location: `${forbidden.url}/by-redirect` }).end()
        return
      }
      if (path === '/worker.js') {
        response.setHeader('content-type', 'text/javascript')
        response.end(
          `self.addEventListener('install', () => fetch('${forbidden.url}/by-worker', { mode: 'no-cors' }))`,
        )
        return
      }
      if (path === '/script') {
        sendHtml(
          response,
          `<h1>Scripts</h1><img src="${forbidden.url}/by-image"><iframe src="${forbidden.url}/by-frame"></iframe>
           <script>
             const later = (work) => Promise.resolve().then(work).catch(() => undefined)
             later(() => new WebSocket('ws://${forbidden.host}/by-socket'))
             later(() => navigator.sendBeacon('${forbidden.url}/by-beacon', 'x'))
             later(() => navigator.serviceWorker.register('/worker.js'))
             later(() => fetch('${forbidden.url}/by-fetch', { mode: 'no-cors' }))
               .then(() => { document.body.insertAdjacentHTML('beforeend', '<p data-testid="done">done</p>') })
           </script>`,
        )
        return
      }
      sendHtml(
        response,
        `<h1>Here</h1><a data-testid="away" href="${forbidden.url}/by-link">Away</a>
         <a data-testid="popup" target="_blank" href="${forbidden.url}/by-popup">Pop up</a>`,
      )
    })
    await server.start()
    const dataDir = join(folder.path, 'agent')
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(
      join(dataDir, 'policy.json'),
      JSON.stringify({ steps: ['open-page', 'click', 'wait-for', 'http-request', 'delay', 'extract'] }),
    )
    agent = await startAgent(server, dataDir)
  })
  afterAll(async () => {
    await stopAgent(agent)
    await Promise.all([allowed.stop(), forbidden.stop(), server.stop()])
    await folder.remove()
    expect(server.malformed).toEqual([])
  })
  beforeEach(() => {
    forbidden.asked.length = 0
  })

  const step = (
    id: string,
    type: string,
    state: Record<string, unknown>,
    more: Record<string, unknown> = {},
  ) => ({
    id,
    type,
    state,
    retry: { attempts: 1, delaySeconds: 0 },
    ...more,
  })
  const open = (path = '/') => step('open', 'open-page', { url: `${allowed.url}${path}` })
  const press = (id: string, waitForNavigation = false) =>
    step('press', 'click', { targets: [{ by: 'testId', id }], waitForNavigation }, { timeLimitSeconds: 5 })
  const doing = async (steps: Parameters<typeof chain>[0], details: Partial<Job> = {}) => {
    const run = server.state.offer(chain(steps), { allowedDomains: [allowed.host], ...details })
    const finish = await until('the run is finished', () => run.finish)
    return { run, finish }
  }

  it('refuses a forbidden address at once', async () => {
    const { finish } = await doing([step('open', 'open-page', { url: forbidden.url })])
    expect(finish.error).toMatchObject({ class: 'DomainNotAllowed', stepId: 'open' })
    expect(forbidden.asked).toEqual([])
  })

  it.each(['file:///etc/passwd', 'chrome://version', 'javascript:alert(1)'])('opens no %s', async (url) => {
    const { finish } = await doing([step('open', 'open-page', { url })])
    expect(finish.error?.class).toBe('InputInvalid')
  })

  it('follows no redirect and no link to a forbidden address', async () => {
    const byRedirect = await doing([open('/redirect')])
    expect(byRedirect.finish.error).toMatchObject({ class: 'DomainNotAllowed', stepId: 'open' })
    const byLink = await doing([open(), press('away', true)])
    expect(byLink.finish.error).toMatchObject({ class: 'DomainNotAllowed', stepId: 'press' })
    expect(forbidden.asked).toEqual([])
  })

  it('lets nothing through that a page tries by itself, and says what it was', async () => {
    const { run, finish } = await doing([
      open('/script'),
      step(
        'seen',
        'wait-for',
        { for: 'element', targets: [{ by: 'testId', id: 'done' }], onTimeout: 'continue' },
        { timeLimitSeconds: 3 },
      ),
      step('rest', 'delay', { seconds: 0.5 }),
      step('again', 'open-page', { url: allowed.url }),
      press('popup'),
      step('then', 'delay', { seconds: 0.5 }),
    ])
    expect(finish.error).toBeNull()
    expect(forbidden.asked).toEqual([])
    expect(
      server.state
        .logOf(run)
        .map(({ text }) => text)
        .join(' '),
    ).toContain('not among the allowed domains')
  })

  it('holds the HTTP step to the same limits, redirects included', async () => {
    const direct = await doing([step('call', 'http-request', { url: forbidden.url })])
    expect(direct.finish.error?.class).toBe('DomainNotAllowed')
    const redirected = await doing([step('call', 'http-request', { url: `${allowed.url}/redirect` })])
    expect(redirected.finish.error?.class).toBe('DomainNotAllowed')
    expect(forbidden.asked).toEqual([])
    const fine = await doing([step('call', 'http-request', { url: allowed.url })])
    expect(fine.finish.error).toBeNull()
  })

  it('reaches no link-local address even where nothing is closed', async () => {
    const { finish } = await doing([step('call', 'http-request', { url: 'http://169.254.169.254/latest' })], {
      allowedDomains: [],
    })
    expect(finish.error?.class).toBe('DomainNotAllowed')
  })

  it('gives runs back that the owner of the machine does not allow', async () => {
    const run = server.state.offer(chain([step('shot', 'screenshot', {})]))
    await until('it is given back', () => run.rejected)
    expect(run.rejected).toBe('policy.step: screenshot')
  })

  it.each(['http', 'socks5'])('goes through the %s proxy of the run, with its password', async (protocol) => {
    const proxy = await startProxy(protocol)
    const { finish, run } = await (async () => {
      const offered = server.state.offer(
        chain([open(), step('call', 'http-request', { url: allowed.url })]),
        {
          allowedDomains: [allowed.host],
          proxy: {
            id: randomUUID(),
            name: 'p',
            protocol,
            host: '127.0.0.1',
            port: proxy.port,
            username: 'me',
            hasPassword: true,
          },
        },
        { 'proxy.password': 'proxy-secret' },
      )
      return { run: offered, finish: await until('it is finished', () => offered.finish) }
    })()
    await proxy.stop()
    expect(finish.error).toBeNull()
    expect(proxy.served).not.toEqual([])
    expect(proxy.served.every((good) => good)).toBe(true)
    expect(JSON.stringify(run.events)).not.toContain('proxy-secret')
  })
})

/** A proxy that serves only who brings the right name and password. */
async function startProxy(protocol: string) {
  const served: boolean[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (protocol === 'socks5') serveSocks(socket, served)
    else serveHttp(socket, served)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port, served, stop }
}

function bridge(inside: Socket, host: string, port: number, first: Buffer | null): void {
  const outside = connect(port, host)
  outside.on('error', () => inside.destroy())
  if (first) outside.write(first)
  inside.pipe(outside)
  outside.pipe(inside)
}

function serveHttp(socket: Socket, served: boolean[]): void {
  socket.once('data', (head) => {
    const text = head.toString('latin1')
    const authorized = text.includes(`Basic ${Buffer.from('me:proxy-secret').toString('base64')}`)
    served.push(authorized)
    const [, host = '', port = ''] = /http:\/\/([^:/]+):(\d+)/.exec(text) ?? []
    if (authorized) bridge(socket, host, Number(port), head)
    else socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  })
}

function serveSocks(socket: Socket, served: boolean[]): void {
  socket.once('data', () => {
    socket.write(Buffer.from([5, 2]))
    socket.once('data', (credentials) => {
      const good = credentials.toString('latin1').includes('proxy-secret')
      served.push(good)
      socket.write(Buffer.from([1, good ? 0 : 1]))
      socket.once('data', (request) => {
        const length = request[4] ?? 0
        const host = request.subarray(5, 5 + length).toString()
        const port = request.readUInt16BE(5 + length)
        socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        bridge(socket, host, port, null)
      })
    })
  })
}
