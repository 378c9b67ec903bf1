import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../settings.ts'
import { AppError } from './app-error.ts'

export const XSRF_COOKIE = 'XSRF-TOKEN'

/**
 * The calls that a cookie authenticates answer only to the console's own pages: the header must repeat the cookie, and
 * the Origin, where the browser sends one, must be ours.
 */
export function checkCsrf(request: FastifyRequest, settings: Pick<Settings, 'publicUrl'>): void {
  const cookie = request.cookies[XSRF_COOKIE]
  const header = request.headers['x-xsrf-token']?.toString()
  if (!cookie || !header || !sameText(cookie, header) || !isOwnOrigin(request, settings))
    throw new AppError('auth.csrf')
}

/** Whether a request's Origin is the console's: the public URL's, or that of the host it was sent to. */
export function isOwnOrigin(
  request: { headers: { origin?: string | undefined; host?: string | undefined } },
  settings: Pick<Settings, 'publicUrl'>,
): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  const own = new URL(settings.publicUrl)
  return origin === own.origin || (host !== undefined && origin === `${own.protocol}//${host}`)
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
