import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Connection } from './connection.ts'
import type { HubCore } from './core.ts'
import { answerHeaders, originAllowed, queryOf, tokenOf } from './headers.ts'
import { type Ask, decide } from './statuses.ts'
import { WebSocketTransport } from './transports/websocket.ts'
import type { Identity } from './types.ts'
import { refuseUpgrade, type UpgradeHandler } from './upgrades.ts'

/** Serves the WebSocket upgrades of a hub: the same questions as every request, asked before the upgrade. */
export function upgradeHandler<User>(core: HubCore<User>): UpgradeHandler {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: core.limits.unitBytes,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: () => false,
  })
  return (request, socket, head) => {
    serve(core, server, request, socket, head).catch((err: unknown) => {
      core.logger.error({ err }, 'hub upgrade failed')
      socket.destroy()
    })
  }
}

async function serve<User>(
  core: HubCore<User>,
  server: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const query = queryOf(request.url)
  const allowed = originAllowed(request, core.options)
  const refuse = (status: number, text = ''): void =>
    refuseUpgrade(socket, `${status} ${STATUS_CODES[status] ?? ''}`, answerHeaders(request, allowed), text)

  const identity = await core.authorize(tokenOf(request, query), 'connect', request)
  if (socket.destroyed) return
  if ('status' in identity) return refuse(identity.status)
  // Browsers apply no CORS to WebSockets, so the server looks itself.
  if (!allowed) return refuse(403)

  const ask: Ask = {
    endpoint: 'hub',
    method: request.method ?? '',
    id: query.get('id') || null,
    wants: 'upgrade',
  }
  const found = ask.id === null ? undefined : core.registry.find(ask.id)
  const verdict = decide(ask, found, identity.userId, core.offered)
  const accept = (take: () => Connection<User>): void =>
    // Calls back at once, or answers a malformed request itself and does not.
    server.handleUpgrade(request, socket, head, (webSocket) => start(core, take(), identity, webSocket))

  if ('do' in verdict && verdict.do === 'connect' && found) return accept(() => found)
  const foreign = ask.id !== null && !found && core.acceptsForeign(ask.id, identity.userId) ? ask.id : null
  if (foreign === null && 'refuse' in verdict) return refuse(verdict.refuse, verdict.text)
  if (core.draining) return refuse(503)
  const full = core.registry.refusal(identity.userId)
  if (full) return refuse(full === 'full' ? 503 : 429)
  accept(() => (foreign === null ? core.create(identity) : core.createForeign(identity, foreign)))
}

function start<User>(
  core: HubCore<User>,
  connection: Connection<User>,
  identity: Identity<User>,
  webSocket: WebSocket,
): void {
  connection.renew(identity)
  connection.start(new WebSocketTransport(webSocket, connection, core.limits, core.clock.now()))
}
