import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { once } from 'node:events'
import { SocksClient } from 'socks'
import type { PROXY_PROTOCOLS } from '@weft/contract/proxies/schema'
import { addressOf, type AddressRules } from './addresses.ts'
import { CheckFailed } from './failed.ts'

/** How a proxy is reached. */
export interface Way {
  protocol: (typeof PROXY_PROTOCOLS)[number]
  host: string
  port: number
  username: string | null
  password: string | null
}

/** What came back through a proxy. */
export interface Answer {
  /** From the first byte to the proxy until the head of the answer. */
  latencyMs: number
  body: string
}

/** A check takes so long at most, all in all, from the look-up of the proxy's host on. */
export const CHECK_MS = 15_000
const CONNECT_MS = 8_000
const MAX_BODY = 64 * 1024

/** Gets the check address through a proxy. Fails with the reason, in good time. */
export async function getThrough(
  way: Way,
  target: URL,
  rules: AddressRules,
  signal: AbortSignal,
): Promise<Answer> {
  const late = AbortSignal.timeout(CHECK_MS)
  const ends = AbortSignal.any([signal, late])
  let socket: Socket | undefined
  const stop = () => socket?.destroy(new Error('stopped'))
  ends.addEventListener('abort', stop, { once: true })
  try {
    const { address, family } = await addressOf(way.host, way.port, rules, ends)
    const began = performance.now()
    socket = await opened(connect({ host: address, port: way.port, family, signal: ends }))
    if (way.protocol === 'https') socket = await secured(socket, way.host, ends)
    const response = await ask(socket, way, target, ends)
    const latencyMs = Math.round(performance.now() - began)
    if (response.statusCode !== 200) throw new CheckFailed('bad_answer')
    return { latencyMs, body: await bodyOf(response) }
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) throw new CheckFailed('timeout', { cause: error })
    throw error instanceof CheckFailed ? error : new CheckFailed(reasonOf(error), { cause: error })
  } finally {
    ends.removeEventListener('abort', stop)
    socket?.destroy()
  }
}

async function opened(socket: Socket): Promise<Socket> {
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new CheckFailed('timeout')))
  await once(socket, 'connect')
  socket.setTimeout(0)
  socket.setNoDelay(true)
  // What happens later is told by whoever uses the socket then.
  socket.on('error', () => undefined)
  return socket
}

async function secured(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  const name = isIP(host) === 0 ? { servername: host } : {}
  const tls = connectTls({ socket, host, ...name })
  // It may fail after nobody waits for it any more, as when the check is ended in the middle.
  tls.on('error', () => undefined)
  await once(tls, 'secureConnect', { signal })
  return tls
}

/** Asks over a connection to the proxy; plain HTTP goes to an HTTP proxy whole, all else through a tunnel. */
async function ask(socket: Socket, way: Way, target: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const plain = target.protocol === 'http:'
  if (plain && way.protocol !== 'socks5') {
    const response = await get(socket, {
      path: target.href,
      headers: { host: target.host, ...authorization(way) },
      signal,
    })
    refuseByStatus(response.statusCode ?? 0, { tunnel: false })
    return response
  }
  const tunnel =
    way.protocol === 'socks5'
      ? await bySocks(socket, way, target)
      : await byConnect(socket, way, target, signal)
  const end = plain ? tunnel : await securedThrough(tunnel, target.hostname, signal)
  return get(end, { path: `${target.pathname}${target.search}`, headers: { host: target.host }, signal })
}

/** A bad certificate at the far end is the check address's fault, or somebody's in between: nothing can be said of the way. */
async function securedThrough(socket: Socket, host: string, signal: AbortSignal): Promise<TLSSocket> {
  try {
    return await secured(socket, host, signal)
  } catch (cause) {
    throw new CheckFailed('target_unreachable', { cause })
  }
}

async function get(
  socket: Socket,
  options: Pick<RequestOptions, 'path' | 'signal'> & { headers: Readonly<Record<string, string>> },
): Promise<IncomingMessage> {
  const request = httpRequest({
    ...options,
    method: 'GET',
    headers: {
      accept: 'application/json, text/plain',
      'user-agent': 'weft-proxy-check',
      ...options.headers,
      connection: 'close',
    },
    createConnection: () => socket,
  })
  request.end()
  const [response] = await once(request, 'response')
  return response
}

async function byConnect(socket: Socket, way: Way, target: URL, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.hostname}:${portOf(target)}`
  const request = httpRequest({
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...authorization(way) },
    createConnection: () => socket,
    signal,
  })
  // A proxy that refuses answers like any server.
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('connect', resolve)
    request.once('response', resolve)
    request.once('error', reject)
  })
  request.end()
  const { statusCode = 0 } = await answered
  if (statusCode < 200 || statusCode > 299) {
    refuseByStatus(statusCode, { tunnel: true })
    throw new CheckFailed('target_unreachable')
  }
  return socket
}

function refuseByStatus(status: number, { tunnel }: { tunnel: boolean }): void {
  if (status === 407) throw new CheckFailed('credentials')
  // 502 to 504 as the standard has them; some proxies tell more by numbers of their own above those.
  if (status >= 502) throw new CheckFailed('target_unreachable')
  if (tunnel && (status === 400 || status === 405 || status === 501)) throw new CheckFailed('protocol')
}

async function bySocks(socket: Socket, way: Way, target: URL): Promise<Socket> {
  try {
    await SocksClient.createConnection({
      command: 'connect',
      existing_socket: socket,
      proxy: {
        host: way.host,
        port: way.port,
        type: 5,
        ...(way.username === null ? {} : { userId: way.username, password: way.password ?? '' }),
      },
      // The name travels as it is: it is the proxy that looks it up.
      destination: { host: target.hostname.replace(/^\[(.*)\]$/, '$1'), port: portOf(target) },
      timeout: CHECK_MS,
    })
    return socket
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : ''
    if (/authentication/i.test(words)) throw new CheckFailed('credentials', { cause })
    if (/rejected connection/i.test(words)) throw new CheckFailed('target_unreachable', { cause })
    if (/timed out/i.test(words)) throw new CheckFailed('timeout', { cause })
    throw new CheckFailed('protocol', { cause })
  }
}

function authorization({ username, password }: Way): Record<string, string> {
  if (username === null) return {}
  return {
    'proxy-authorization': `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`,
  }
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue
    size += chunk.length
    if (size > MAX_BODY) throw new CheckFailed('bad_answer')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What a failure of the network says about the proxy. */
function reasonOf(error: unknown) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ETIMEDOUT') return 'timeout'
  if (code.startsWith('HPE_')) return 'protocol'
  // TLS against something that speaks none, or a connection that ends in the middle of a sentence.
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code === 'ECONNRESET' || code === 'EPIPE')
    return 'protocol'
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) return 'certificate'
  return 'unreachable'
}
