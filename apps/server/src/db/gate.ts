import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { DatabaseGate } from '../kit/deps.ts'

const PROBE_MS = 60

/** Watches whether the database answers; all who wait share one probe. */
export function gateOf(pool: Pool): DatabaseGate {
  let probing: Promise<void> | undefined
  let closedSince: number | undefined

  const probe = async () => {
    for (;;) {
      try {
        await pool.query('select 1')
        closedSince = undefined
        probing = undefined
        return
      } catch {
        // Nobody waits longer than a few seconds; after a minute the next caller asks anew.
        if (closedSince === undefined || performance.now() - closedSince > 60_000) {
          probing = undefined
          return
        }
        await delay(PROBE_MS)
      }
    }
  }

  return {
    suspect() {
      closedSince ??= performance.now()
      probing ??= probe()
    },
    async ready(waitMs) {
      if (!probing) return true
      const timer = new AbortController()
      await Promise.race([probing, delay(waitMs, undefined, { signal: timer.signal }).catch(() => {})])
      timer.abort()
      return probing === undefined
    },
  }
}
