import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { createHub } from '@weft/hub/hub'
import { to } from '@weft/hub/types'
import type { WebSocketServer as WebSocketServerClass } from 'ws'

/** The server process of `hub.ts`: a hub, or with `ws` a bare WebSocket server, told by its parent what to do. */

const requireOfHub = createRequire(import.meta.resolve('@weft/hub/hub'))
const { default: Fastify } = (await import(requireOfHub.resolve('fastify'))) as typeof import('fastify')
const { WebSocketServer } = requireOfHub('ws') as { WebSocketServer: typeof WebSocketServerClass }

interface Side {
  port: number
  broadcast(message: object): void
}

function portOf(address: unknown): number {
  if (typeof address !== 'object' || address === null || !('port' in address)) throw new Error('No port.')
  return Number(address.port)
}

async function hubSide(): Promise<Side> {
  const hub = createHub({
    path: '/hub',
    authenticate: ({ token }) => ({ user: { name: token }, userId: token }),
  })
  const app = Fastify()
  await app.register(hub.plugin)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: portOf(app.server.address()), broadcast: (message) => hub.send(to.all, 'send', message) }
}

async function bareSide(): Promise<Side> {
  const http = createServer()
  const server = new WebSocketServer({ server: http, perMessageDeflate: false })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(http.address()),
    broadcast(message) {
      // As the hub does: serialise once, and the same bytes for all.
      const bytes = Buffer.from(`${JSON.stringify({ type: 1, target: 'send', arguments: [message] })}\u001e`)
      for (const client of server.clients) client.send(bytes, { binary: false })
    },
  }
}

const side = await (process.argv[2] === 'ws' ? bareSide() : hubSide())

function report(): void {
  const { user, system } = process.cpuUsage()
  process.send?.({
    port: side.port,
    rssMb: process.memoryUsage.rss() / 1024 / 1024,
    cpuMs: (user + system) / 1000,
  })
}

process.on('message', ({ command, count }: { command: string; count: number }) => {
  if (command === 'broadcast')
    for (let i = 0; i < count; i += 1)
      side.broadcast({
        method: 'recordChanged',
        message: {
          seq: i,
          feature: 'runs',
          id: 'a'.repeat(36),
          kind: 'progress',
          at: String(process.hrtime.bigint()),
        },
      })
  report()
})
// The parent is gone: so is the reason to be here.
process.on('disconnect', () => process.exit())
report()
