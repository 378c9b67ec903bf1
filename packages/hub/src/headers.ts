import type { IncomingMessage } from 'node:http'

/** True when a browser page from this origin may use the hub: its own host, or one the application names. */
export function originAllowed(
  request: IncomingMessage,
  options: { allowOrigin?(origin: string): boolean },
): boolean {
  const { origin } = request.headers
  if (origin === undefined) return true
  const authority = request.headers.host ?? request.headers[':authority']
  return (
    (URL.canParse(origin) && new URL(origin).host === authority) || (options.allowOrigin?.(origin) ?? false)
  )
}

/** Headers of every answer, errors and hijacked responses included: a browser hides a 401 that lacks them. */
export function answerHeaders(request: IncomingMessage, allowed: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    'cache-control': 'no-cache, no-store',
    pragma: 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'Origin',
  }
  const { origin } = request.headers
  if (origin !== undefined && allowed) {
    headers['access-control-allow-origin'] = origin
    headers['access-control-allow-credentials'] = 'true'
  }
  return headers
}

/** What a preflight asks to know besides. */
export const preflightHeaders: Record<string, string> = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, x-requested-with, x-signalr-user-agent',
  'access-control-max-age': '600',
}

/** The token of a request: the header first, else the query. Cookies are no tokens. */
export function tokenOf(request: IncomingMessage, query: URLSearchParams): string | null {
  const header = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')
  return header?.[1] ?? (query.get('access_token') || null)
}

/** The query of a request's address. */
export function queryOf(url: string | undefined): URLSearchParams {
  const mark = url?.indexOf('?') ?? -1
  return new URLSearchParams(mark === -1 || url === undefined ? '' : url.slice(mark))
}

/** The address as it may be logged: neither the token nor the connection's key stays in it. */
export function redactUrl(url: string): string {
  return url.replace(/([?&](?:access_token|id)=)[^&#]*/gi, '$1***')
}
