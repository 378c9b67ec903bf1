/**
 * The path to go to after signing in: only a path of this console. Another origin, a scheme, a protocol-relative
 * address or a backslash gives null, and so do the sign-in pages themselves, which would lead in a circle.
 */
export function safeNextUrl(value: string | null | undefined, origin: string): string | null {
  if (!value || !value.startsWith('/') || value.startsWith('//')) return null
  // oxlint-disable-next-line no-control-regex
  if (/[\\\u0000-\u001f]/.test(value)) return null
  let url: URL
  try {
    url = new URL(value, origin)
  } catch {
    return null
  }
  if (url.origin !== new URL(origin).origin) return null
  // A path such as `/..//host` becomes protocol-relative once it is normalised.
  if (url.pathname.startsWith('//')) return null
  if (isSignInPath(url.pathname)) return null
  return url.pathname + url.search + url.hash
}

/** Where the sign-in is, with the path to come back to; the root needs no mention. */
export function signInUrl(fullPath: string, origin: string): string {
  const next = safeNextUrl(fullPath, origin)
  return next && next !== '/' ? `${SIGN_IN_PATH}?nextUrl=${encodeURIComponent(next)}` : SIGN_IN_PATH
}

export const SIGN_IN_PATH = '/login'

function isSignInPath(path: string): boolean {
  return path === SIGN_IN_PATH || path.startsWith('/auth/')
}
