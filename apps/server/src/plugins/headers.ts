import type { FastifyInstance } from 'fastify'

/** What a page of the console may do. Mantine writes styles into elements, hence the one `unsafe-inline`. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers that every answer carries. Answers of calls are kept nowhere. */
export function addSecurityHeaders(app: FastifyInstance, options: { https: boolean }): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('x-request-id', request.id)
    void reply.headers({
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      ...(options.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    })
    if (request.url.startsWith('/api-')) void reply.header('cache-control', 'no-store')
  })
}
