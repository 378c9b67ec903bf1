import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'

/**
 * The token with which an agent proves that it holds a run's lease. Derived from run, client and fencing number, so
 * nothing secret is stored and an offer can be repeated.
 */
export function leaseToken(key: KeyObject, run: { id: string; clientId: string; fence: number }): string {
  return createHmac('sha256', key)
    .update(`lease\n${run.id}\n${run.clientId}\n${run.fence}`)
    .digest('base64url')
}

/** Compares in constant time. */
export function holdsLease(
  key: KeyObject,
  run: { id: string; clientId: string; fence: number },
  token: string,
): boolean {
  const expected = Buffer.from(leaseToken(key, run))
  const given = Buffer.from(token)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
