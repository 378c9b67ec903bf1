import { once } from 'node:events'
import { lookup } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { DomainRefused, isLinkLocal } from './domains.ts'

/** The proxy that a run goes through, if it has one. */
export interface Upstream {
  protocol: string
  host: string
  port: number
  username: string | null
  password: string | null
}

const CONNECT_MS = 15_000

/** A proxy that did not let us through. */
export class ProxyFailed extends Error {
  constructor(reason: string) {
    super(`The proxy did not connect: ${reason}.`)
    this.name = 'ProxyFailed'
  }
}

/** Looks a name up and refuses those that lead to link-local addresses, so that a name cannot hide one. */
const guardedLookup: LookupFunction = (host, options, callback) => {
  lookup(host, options, (error, address, family) => {
    const found = typeof address === 'string' ? [address] : (address ?? []).map((entry) => entry.address)
    if (!error && found.some(isLinkLocal)) callback(new DomainRefused(host), '', 0)
    else callback(error, address, family)
  })
}

/** Opens a connection to a host, through the run's proxy if it has one. */
export async function dial(host: string, port: number, upstream: Upstream | null): Promise<Socket> {
  if (isLinkLocal(host)) throw new DomainRefused(host)
  if (!upstream) return opened(connect({ host, port, lookup: guardedLookup, autoSelectFamily: true }))
  const socket = await reach(upstream)
  try {
    if (upstream.protocol === 'socks5') await enterSocks5(socket, host, port, upstream)
    else await enterHttp(socket, host, port, upstream)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Opens a connection to the run's proxy itself. */
export async function reach({ host, port, protocol }: Upstream): Promise<Socket> {
  const plain = await opened(connect({ host, port }))
  return protocol === 'https' ? secured(plain, host) : plain
}

async function opened(socket: Socket): Promise<Socket> {
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('No connection in time.')))
  await once(socket, 'connect')
  socket.setTimeout(0)
  socket.setNoDelay(true)
  return socket
}

async function secured(socket: Socket, servername: string): Promise<Socket> {
  const tls = connectTls({ socket, servername: isIP(servername) === 0 ? servername : undefined })
  await once(tls, 'secureConnect')
  return tls
}

/** The header by which an HTTP proxy knows its user. */
export function proxyAuthorization({ username, password }: Upstream): string | undefined {
  if (username === null) return undefined
  return `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`
}

async function enterHttp(socket: Socket, host: string, port: number, upstream: Upstream): Promise<void> {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const authorization = proxyAuthorization(upstream)
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`]
  if (authorization !== undefined) lines.push(`Proxy-Authorization: ${authorization}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let head = Buffer.alloc(0)
  while (!head.includes('\r\n\r\n')) {
    if (head.length > 16_384) throw new ProxyFailed('its answer is too long')
    head = Buffer.concat([head, await readSome(socket)])
  }
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1'))?.[1]
  if (status !== '200')
    throw new ProxyFailed(status === '407' ? 'it refused the credentials' : `it answered ${status}`)
  const rest = head.subarray(head.indexOf('\r\n\r\n') + 4)
  if (rest.length > 0) socket.unshift(rest)
}

async function enterSocks5(socket: Socket, host: string, port: number, upstream: Upstream): Promise<void> {
  const { username, password } = upstream
  socket.write(Buffer.from(username === null ? [5, 1, 0] : [5, 2, 0, 2]))
  const [, method] = await readExactly(socket, 2)
  if (method === 2) {
    const name = Buffer.from(username ?? '')
    const word = Buffer.from(password ?? '')
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([word.length]), word]))
    const [, refused] = await readExactly(socket, 2)
    if (refused !== 0) throw new ProxyFailed('it refused the credentials')
  } else if (method !== 0) throw new ProxyFailed('it wants another kind of sign-in')
  // The name travels as it is: it is the proxy that looks it up.
  const name = Buffer.from(host)
  const tail = Buffer.alloc(2)
  tail.writeUInt16BE(port)
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, tail]))
  const [, code, , kind, first = 0] = await readExactly(socket, 5)
  if (code !== 0) throw new ProxyFailed(`it answered ${code}`)
  const left = kind === 1 ? 3 : kind === 4 ? 15 : first
  await readExactly(socket, left + 2)
}

async function readSome(socket: Socket): Promise<Buffer> {
  for (;;) {
    const chunk: unknown = socket.read()
    if (Buffer.isBuffer(chunk)) return chunk
    if (socket.readableEnded || socket.destroyed) throw new ProxyFailed('it closed the connection')
    await Promise.race([once(socket, 'readable'), once(socket, 'end')])
  }
}

async function readExactly(socket: Socket, length: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  while (bytes.length < length) bytes = Buffer.concat([bytes, await readSome(socket)])
  if (bytes.length > length) socket.unshift(bytes.subarray(length))
  return bytes.subarray(0, length)
}
