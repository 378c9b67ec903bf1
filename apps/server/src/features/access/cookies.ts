import type { CookieOptions, Exchange } from '../../kit/context.ts'
import { XSRF_COOKIE } from '../../kit/csrf.ts'
import type { Settings } from '../../settings.ts'
import type { Tokens } from './sessions.ts'
import { newToken } from './tokens.ts'

interface Jar {
  refreshName: string
  refresh: CookieOptions
  xsrf: CookieOptions
}

/** Over https the cookie is bound to this host by its name; plain http, as on one's own machine, cannot have that. */
function jarOf(settings: Pick<Settings, 'publicUrl'>): Jar {
  const secure = settings.publicUrl.startsWith('https:')
  return {
    refreshName: secure ? '__Host-rt' : 'rt',
    refresh: { httpOnly: true, sameSite: 'strict', secure, path: secure ? '/' : '/api-user/api/v1/auth' },
    xsrf: { httpOnly: false, sameSite: 'strict', secure, path: '/' },
  }
}

/** The refresh token that a request brings. */
export function readRefreshCookie(http: Exchange, settings: Pick<Settings, 'publicUrl'>): string | undefined {
  return http.cookie(jarOf(settings).refreshName)
}

/** Gives the browser its refresh token, and the value that its pages must show with it. */
export function giveCookies(
  http: Exchange,
  settings: Pick<Settings, 'publicUrl'>,
  tokens: Tokens,
  now: Date,
): void {
  const jar = jarOf(settings)
  const maxAgeSeconds =
    tokens.cookieUntil && Math.floor((tokens.cookieUntil.getTime() - now.getTime()) / 1000)
  http.setCookie(jar.refreshName, tokens.refresh, { ...jar.refresh, maxAgeSeconds })
  // Other tabs hold the value they read; a session keeps it from its first to its last refresh.
  http.setCookie(XSRF_COOKIE, http.cookie(XSRF_COOKIE) ?? newToken(), { ...jar.xsrf, maxAgeSeconds })
}

/** Takes both back. */
export function clearCookies(http: Exchange, settings: Pick<Settings, 'publicUrl'>): void {
  const jar = jarOf(settings)
  http.clearCookie(jar.refreshName, jar.refresh)
  http.clearCookie(XSRF_COOKIE, jar.xsrf)
}
