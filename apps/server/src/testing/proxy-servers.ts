import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import { createServer as createSocks } from '@pondwader/socks5-server'
import { Server as ProxyServer } from 'proxy-chain'
import { TEST_CERTIFICATE } from './certificate.ts'

/** A server of a test, and its end. */
export interface Running extends AsyncDisposable {
  port: number
  stop(): Promise<void>
}

const running = (port: number, stop: () => Promise<void>): Running => ({
  port,
  stop,
  [Symbol.asyncDispose]: stop,
})

/** The user that proxies with `auth` let in. */
export const PROXY_USER = { username: 'ann', password: 'p:a@ss word' }

/** A real HTTP or HTTPS proxy. `delayMs` makes it slow; `port` puts it where another one was. */
export async function httpProxy(
  options: { https?: boolean; auth?: boolean; delayMs?: number; port?: number; seen?: string[] } = {},
): Promise<Running> {
  const common = {
    port: options.port ?? 0,
    host: '127.0.0.1',
    verbose: false,
    prepareRequestFunction: async ({ username, password, isHttp, hostname }) => {
      options.seen?.push(`${isHttp ? 'http' : 'connect'} ${hostname}`)
      if (options.delayMs) await new Promise((resolve) => setTimeout(resolve, options.delayMs))
      const right = username === PROXY_USER.username && password === PROXY_USER.password
      return { requestAuthentication: options.auth === true && !right }
    },
  } satisfies ConstructorParameters<typeof ProxyServer>[0]
  const server = new ProxyServer(
    options.https ? { ...common, serverType: 'https', httpsOptions: TEST_CERTIFICATE } : common,
  )
  server.on('requestFailed', () => undefined)
  server.on('error', () => undefined)
  await server.listen()
  return running(server.port, () => server.close(true))
}

/** A real SOCKS5 proxy. */
export async function socksProxy(options: { auth?: boolean } = {}): Promise<Running> {
  const socks = createSocks(options.auth ? { auth: PROXY_USER } : {})
  const sockets = new Set<Socket>()
  const server = createTcp((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    // oxlint-disable-next-line no-underscore-dangle -- the only way to give it connections of a server that can be stopped
    socks._handleConnection(socket)
  })
  await listening(server)
  return running(portOf(server), async () => {
    for (const socket of sockets) socket.destroy()
    await closed(server)
  })
}

/** Something that takes connections and never says a word. */
export async function silentServer(): Promise<Running & { connections: () => number }> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createTcp((socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await listening(server)
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await closed(server)
  }
  return { ...running(portOf(server), stop), connections: () => count }
}

/** A check address of an operator's own: tells what it is told to. */
export async function checkAddress(
  options: { https?: boolean; body?: () => string; status?: () => number } = {},
): Promise<Running & { url: string }> {
  const body = options.body ?? (() => JSON.stringify({ ip: '81.2.69.142' }))
  const handler: Parameters<typeof createHttp>[1] = (_request, response) => {
    response.writeHead(options.status?.() ?? 200, { 'content-type': 'application/json' })
    response.end(body())
  }
  const server: HttpServer = options.https ? createHttps(TEST_CERTIFICATE, handler) : createHttp(handler)
  await listening(server)
  const port = portOf(server)
  const stop = () => {
    server.closeAllConnections()
    return closed(server)
  }
  return {
    ...running(port, stop),
    url: `${options.https ? 'https://localhost' : 'http://127.0.0.1'}:${port}/`,
  }
}

const listening = (server: TcpServer) =>
  new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
const closed = (server: TcpServer) => new Promise<void>((resolve) => void server.close(() => resolve()))
const portOf = (server: TcpServer) => (server.address() as AddressInfo).port
