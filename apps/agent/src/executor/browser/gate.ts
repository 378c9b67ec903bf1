import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { Duplex, pipeline } from 'node:stream'
import { DomainRefused, portOf, type DomainLimits } from './domains.ts'
import { dial, ProxyFailed, proxyAuthorization, reach, type Upstream } from './upstream.ts'

/** The header by which an answer says that the gate gave it. */
export const GATE_HEADER = 'x-weft-gate'

/** Headers that are between two neighbours and go no further. */
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

/**
 * The one way out for everything that a run does: a proxy on loopback that lets through only what the run may reach. The
 * browser has no other way, so redirects, pop-ups, web sockets, workers and prefetches are held to the same limits as the
 * first address. The run's own proxy, if any, comes behind it.
 */
export class Gate {
  readonly #limits: DomainLimits
  readonly #upstream: Upstream | null
  readonly #server: Server
  readonly #agent: Agent
  readonly #openProxy: Upstream | null
  readonly #sockets = new Set<Duplex>()
  readonly #refused = new Set<string>()
  #port = 0
  /** Called the first time that a host is refused. */
  onRefused: (host: string) => void = () => undefined

  private constructor(limits: DomainLimits, upstream: Upstream | null) {
    this.#limits = limits
    this.#upstream = upstream
    this.#server = createServer((incoming, answer) => void this.#forward(incoming, answer))
    this.#server.on(
      'connect',
      (incoming, socket: Duplex, head: Buffer) => void this.#tunnel(incoming, socket, head),
    )
    this.#server.on('connection', (socket: Socket) => this.#keep(socket))
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32 })
    // An HTTP proxy takes open requests as they are: many refuse to tunnel them.
    const openly = upstream && upstream.protocol !== 'socks5' ? upstream : null
    this.#openProxy = openly
    this.#agent.createConnection = ({ host, port }, done) => {
      void this.#connect(openly ? reach(openly) : dial(host ?? '', Number(port), upstream), done)
      return undefined
    }
  }

  /** Opens the gate for one run. */
  static async open(limits: DomainLimits, upstream: Upstream | null): Promise<Gate> {
    const gate = new Gate(limits, upstream)
    await new Promise<void>((resolve, reject) => {
      gate.#server.once('error', reject)
      gate.#server.listen(0, '127.0.0.1', resolve)
    })
    const address = gate.#server.address()
    gate.#port = address !== null && typeof address === 'object' ? address.port : 0
    return gate
  }

  /** Where the browser finds it. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Whether this host was asked for and refused. */
  hasRefused(host: string): boolean {
    return this.#refused.has(host)
  }

  /** Closes the gate and every connection through it. */
  async close(): Promise<void> {
    this.#agent.destroy()
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #keep<S extends Duplex>(socket: S): S {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    // Broken connections are the browser's to notice; here they only must not end the process.
    socket.on('error', () => undefined)
    return socket
  }

  async #connect(
    connecting: Promise<Socket>,
    done: ((error: Error | null, socket: Duplex) => void) | undefined,
  ): Promise<void> {
    try {
      done?.(null, this.#keep(await connecting))
    } catch (error) {
      done?.(error instanceof Error ? error : new Error(String(error)), new Duplex())
    }
  }

  #admit(host: string, port: number): void {
    if (this.#limits.allows(host, port)) return
    this.#refuse(host, port)
    throw new DomainRefused(host)
  }

  #refuse(host: string, port: number): void {
    const known = this.#refused.has(host)
    this.#refused.add(host)
    this.#refused.add(`${host}:${port}`)
    if (!known) this.onRefused(host)
  }

  async #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const [, host = '', port = '443'] = /^\[?(.*?)\]?:(\d+)$/.exec(incoming.url ?? '') ?? []
    try {
      this.#admit(host, Number(port))
      const outside = this.#keep(await dial(host, Number(port), this.#upstream))
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) outside.write(head)
      pipeline(socket, outside, () => undefined)
      pipeline(outside, socket, () => undefined)
    } catch (error) {
      if (error instanceof DomainRefused) this.#refuse(host, Number(port))
      const status = error instanceof DomainRefused ? '403 Forbidden' : '502 Bad Gateway'
      socket.end(`HTTP/1.1 ${status}\r\n${GATE_HEADER}: ${reasonOf(error)}\r\ncontent-length: 0\r\n\r\n`)
    }
  }

  async #forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    let url: URL
    try {
      url = new URL(incoming.url ?? '')
      if (url.protocol !== 'http:') throw new Error('Only http is asked for in the open.')
      this.#admit(url.hostname, portOf(url))
    } catch (error) {
      this.#answerError(answer, error)
      return
    }
    const proxy = this.#openProxy
    const authorization = proxy ? proxyAuthorization(proxy) : undefined
    const outgoing = request({
      agent: this.#agent,
      host: url.hostname.replaceAll(/^\[|\]$/g, ''),
      port: portOf(url),
      method: incoming.method,
      path: proxy ? url.href : url.pathname + url.search,
      headers: {
        ...endToEnd(incoming),
        ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }),
      },
      setHost: false,
    })
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, endToEnd(response))
      pipeline(response, answer, () => undefined)
    })
    outgoing.on('error', (error) => {
      if (error instanceof DomainRefused) this.#refuse(url.hostname, portOf(url))
      this.#answerError(answer, error)
    })
    answer.on('close', () => outgoing.destroy())
    pipeline(incoming, outgoing, () => undefined)
  }

  #answerError(answer: ServerResponse, error: unknown): void {
    if (answer.headersSent) {
      answer.destroy()
      return
    }
    const status = error instanceof DomainRefused ? 403 : 502
    answer.writeHead(status, { [GATE_HEADER]: reasonOf(error), 'content-type': 'text/plain; charset=utf-8' })
    answer.end(error instanceof Error ? error.message : 'No connection.')
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DomainRefused) return 'domain'
  if (error instanceof ProxyFailed) return 'proxy'
  return 'unreachable'
}

function endToEnd(message: IncomingMessage): Record<string, string | string[]> {
  const named = new Set((message.headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  const kept: Record<string, string | string[]> = {}
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (values && !HOP_HEADERS.has(name) && !named.has(name))
      kept[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return kept
}
