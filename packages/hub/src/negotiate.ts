import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { HubCore } from './core.ts'
import type { Identity } from './types.ts'

/** Reads `negotiateVersion`: absent is 0, newer than ours is ours; null is nonsense. */
export function negotiateVersion(query: URLSearchParams, min: 0 | 1): 0 | 1 | null {
  const given = query.get('negotiateVersion') ?? '0'
  if (!/^\d{1,9}$/.test(given) || Number(given) < min) return null
  return Number(given) === 0 ? 0 : 1
}

/** Makes a connection and says what is on offer, or sends the client elsewhere. */
export async function negotiate<User>(
  core: HubCore<User>,
  identity: Identity<User>,
  query: URLSearchParams,
  request: IncomingMessage,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const version = negotiateVersion(query, core.options.minNegotiateVersion ?? 0)
  // A status would stop the client just as well, but only this tells it why.
  if (version === null) return reply.send({ error: 'The requested protocol version is not supported.' })
  const elsewhere = await core.options.redirect?.(identity, request)
  if (elsewhere) return reply.send({ url: elsewhere.url, accessToken: elsewhere.accessToken })
  if (core.draining) return reply.code(503).header('retry-after', '1').type('text/plain').send('')
  const full = core.registry.refusal(identity.userId)
  if (full)
    return reply
      .code(full === 'full' ? 503 : 429)
      .header('retry-after', '5')
      .type('text/plain')
      .send('')
  const connection = core.create(identity)
  core.counters.negotiated += 1
  return reply.send({
    negotiateVersion: version,
    ...(version === 1
      ? { connectionId: connection.connectionId, connectionToken: connection.token }
      : { connectionId: connection.token }),
    availableTransports: core.offered.map((transport) => ({ transport, transferFormats: ['Text'] })),
  })
}
