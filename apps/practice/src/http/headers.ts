import type { FastifyInstance } from 'fastify'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The policy for files that visitors uploaded: they may do nothing at all. */
export const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** Security headers on every answer; a route may set a narrower policy. */
export function addHeaders(app: FastifyInstance, closing: AbortSignal): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('content-security-policy')) void reply.header('content-security-policy', POLICY)
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
    // A connection kept for a next request would hold up the stop.
    if (closing.aborted) void reply.header('connection', 'close')
    void reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
  })
}
