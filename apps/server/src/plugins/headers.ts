import type { FastifyInstance } from 'fastify'

/** Parts of the bot check's own script that come from another place than it does. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'https://www.google.com': ['https://www.gstatic.com'],
  'https://www.recaptcha.net': ['https://www.gstatic.com'],
}

/**
 * What a page of the console may do. Mantine writes styles into elements, hence the one `unsafe-inline`. The bot check's
 * script has its own place, which is open only while the check is on.
 */
export function pagePolicy(botCheckScript: string | null): string {
  const origin = botCheckScript === null ? undefined : new URL(botCheckScript).origin
  const bot = origin === undefined ? [] : [origin, ...(BESIDE[origin] ?? [])]
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...bot],
    ['style-src', "'self'", "'unsafe-inline'"],
    ['img-src', "'self'", 'data:', 'blob:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...bot],
    ['media-src', "'self'", 'blob:'],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    ...(bot.length > 0 ? [['frame-src', ...bot]] : []),
    ['form-action', "'self'"],
    ['base-uri', "'none'"],
    ['object-src', "'none'"],
    ['frame-ancestors', "'none'"],
  ]
    .map((parts) => parts.join(' '))
    .join('; ')
}

const CLOSED = pagePolicy(null)

/**
 * The thread in which the console shows what expressions give: QuickJS is WebAssembly. Only it may compile that, it may
 * reach no more than its own files, and the page itself may not.
 */
const PREVIEW_THREAD = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
const isPreviewThread = (url: string) => /^\/assets\/preview-worker-[\w-]+\.js$/.test(url)

/** The headers that every answer carries. Answers of calls are kept nowhere. */
export function addSecurityHeaders(
  app: FastifyInstance,
  options: { https: boolean; botCheckScript: () => Promise<string | null> },
): void {
  app.addHook('onRequest', async (request, reply) => {
    const policy = isPreviewThread(request.url)
      ? PREVIEW_THREAD
      : isPage(request.url)
        ? await policyOf(options.botCheckScript)
        : CLOSED
    void reply.headers({
      'x-request-id': request.id,
      'content-security-policy': policy,
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

/** Whether the console's page may be the answer: no call, no file. */
function isPage(url: string): boolean {
  const path = url.split('?', 1)[0] ?? '/'
  return !path.startsWith('/api-') && !path.startsWith('/health/') && !/\.\w+$/.test(path)
}

/** Where it cannot be told whether the check is on, as without a database, the page is as closed as can be. */
async function policyOf(script: () => Promise<string | null>): Promise<string> {
  const url = await script().catch(() => null)
  return url === null ? CLOSED : pagePolicy(url)
}
