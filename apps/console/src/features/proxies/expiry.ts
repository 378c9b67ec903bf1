import { PROXY_EXPIRY_WARNING_DAYS } from '@weft/contract/proxies/schema'

const DAY_MS = 24 * 3_600_000

/** Where a proxy stands on its way to its end. */
export function expiryOf(expiresAt: string | null, now: number): 'expired' | 'soon' | 'later' | 'never' {
  if (expiresAt === null) return 'never'
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return 'expired'
  return left <= PROXY_EXPIRY_WARNING_DAYS * DAY_MS ? 'soon' : 'later'
}
