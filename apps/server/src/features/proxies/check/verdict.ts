import {
  PROXY_FAILURES_TO_QUARANTINE,
  type ProxyCheckError,
  type ProxyStatus,
} from '@weft/contract/proxies/schema'

/** What a check showed. */
export type Outcome =
  | { ok: true; latencyMs: number; exitIp: string; country: string | null }
  | { ok: false; error: ProxyCheckError }

/** What is known of a proxy after a check. */
export interface Verdict {
  status: ProxyStatus
  failures: number
  lastError: ProxyCheckError | null
  retryAt: Date | null
}

const MINUTE = 60_000
/** How long a failing proxy is left alone, by its failures: the longer it fails, the rarer it is tried. */
const PATIENCE = [1, 2, 5, 15, 60, 4 * 60, 12 * 60, 24 * 60]

/** Failures that say nothing against the proxy. */
const INCONCLUSIVE: readonly ProxyCheckError[] = ['check_address_down', 'check_address_local']

/** Whether a failure says nothing against the proxy. */
export function isInconclusive(outcome: Outcome): boolean {
  return !outcome.ok && INCONCLUSIVE.includes(outcome.error)
}

/**
 * What a check makes of a proxy: slow ones are degraded, three failures in a row quarantine, one success makes good. A
 * check that failed for the check address's own sake leaves everything as it was.
 */
export function verdict(
  before: { status: ProxyStatus; failures: number; retryAt: Date | null },
  outcome: Outcome,
  at: { now: Date; slowMs: number },
): Verdict {
  if (outcome.ok) {
    const status = outcome.latencyMs > at.slowMs ? 'degraded' : 'healthy'
    return { status, failures: 0, lastError: null, retryAt: null }
  }
  if (isInconclusive(outcome)) {
    const retryAt = before.retryAt && later(at.now, 5)
    return { status: before.status, failures: before.failures, lastError: outcome.error, retryAt }
  }
  const failures = before.failures + 1
  const minutes = PATIENCE[Math.min(failures, PATIENCE.length) - 1] ?? 0
  return {
    status: failures >= PROXY_FAILURES_TO_QUARANTINE ? 'quarantined' : 'failing',
    failures,
    lastError: outcome.error,
    retryAt: later(at.now, minutes),
  }
}

function later(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * MINUTE)
}
