import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Takes over the socket of an upgrade request; must end it in every case. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

const tables = new WeakMap<Server, Map<string, UpgradeHandler>>()

/** Answers an upgrade request without upgrading, and ends its socket. */
export function refuseUpgrade(
  socket: Duplex,
  status: string,
  headers: Record<string, string> = {},
  body = '',
): void {
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-type': 'text/plain',
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

function isWebSocket(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Gives the WebSocket upgrades of one path on a server to a handler, until the answer is called. Several hubs share
 * one listener. An upgrade that no hub owns is left to other listeners, or answered 404 where there are none.
 */
export function claimUpgrades(server: Server, path: string, handler: UpgradeHandler): () => void {
  const table = tables.get(server) ?? listen(server)
  if (table.has(path)) throw new Error(`Two hubs on '${path}'.`)
  table.set(path, handler)
  return () => table.delete(path)
}

function listen(server: Server): Map<string, UpgradeHandler> {
  const table = new Map<string, UpgradeHandler>()
  tables.set(server, table)
  server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const handler = isWebSocket(request) ? table.get(path) : undefined
    if (!handler && server.listenerCount('upgrade') > 1) return
    // First thing: without a listener a reset would end the process.
    socket.on('error', () => socket.destroy())
    if (handler) handler(request, socket, head)
    else refuseUpgrade(socket, '404 Not Found')
  })
  serveOtherUpgrades(server)
  return table
}

/**
 * With an upgrade listener, Node no longer serves a request that merely offers another protocol, as Java's client
 * does with every first request (`Upgrade: h2c`). Where only hubs listen, such requests stay ordinary ones.
 */
function serveOtherUpgrades(server: Server): void {
  const before: unknown = Reflect.get(server, 'shouldUpgradeCallback')
  if (typeof before !== 'function') return
  Reflect.set(server, 'shouldUpgradeCallback', (request: IncomingMessage): boolean => {
    if (!isWebSocket(request) && server.listenerCount('upgrade') <= 1) return false
    return Reflect.apply(before, server, [request]) === true
  })
}
