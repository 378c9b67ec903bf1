import { ACCOUNT_USABLE } from '@weft/contract/accounts/schema'
import type { WaitReason } from '@weft/contract/campaigns/schema'
import type { Pacing } from '../table.ts'
import { quietUntil } from './quiet-hours.ts'

/** What is known of an item's account when its turn comes. */
export interface AccountFacts {
  name: string
  status: string
  deleted: boolean
  perDay: number | null
  perHour: number | null
  cooldownMinutes: number | null
  quietHours: string | null
  /** When its runs of the last day, or hour, are so few again that it may begin; null: they are now. */
  dayUntil: Date | null
  hourUntil: Date | null
  /** When its pause after its last run is over. */
  pauseUntil: Date | null
}

/**
 * Why this account may not be used just now, or null. The same function decides an offer and explains the waiting. What goes on
 * with a run that left to wait begins no other: the account's limits and its pause do not keep it.
 */
export function accountBlock(
  account: AccountFacts,
  pacing: Pacing,
  now: Date,
  { timeZone, goesOn }: { timeZone: string; goesOn: boolean },
): WaitReason | null {
  if (account.deleted) return { code: 'wait.resource_gone', params: { name: account.name } }
  if (!ACCOUNT_USABLE.some((status) => status === account.status))
    return { code: 'wait.account_status', params: { name: account.name, status: account.status } }
  const until = quietUntil(account.quietHours, now, timeZone)
  if (until) return { code: 'wait.quiet_hours', params: { name: account.name, until: until.toISOString() } }
  if (goesOn) return null
  const { name, perHour, cooldownMinutes, dayUntil, hourUntil, pauseUntil } = account
  if (dayUntil) {
    const limit = Math.min(account.perDay ?? Infinity, pacing.perAccountPerDay ?? Infinity)
    return { code: 'wait.account_limit', params: { name, limit, per: 'day', until: dayUntil.toISOString() } }
  }
  if (hourUntil)
    return {
      code: 'wait.account_limit',
      params: { name, limit: perHour, per: 'hour', until: hourUntil.toISOString() },
    }
  if (pauseUntil)
    return {
      code: 'wait.account_cooldown',
      params: { name, count: cooldownMinutes, until: pauseUntil.toISOString() },
    }
  return null
}

/** Why no run may begin on these domains just now, or null. `startsOn` counts those of the last minute. */
export function siteBlock(
  sites: readonly string[],
  startsOn: (site: string) => number,
  limit: number | null,
): WaitReason | null {
  if (limit === null) return null
  const full = sites.find((site) => startsOn(site) >= limit)
  return full === undefined ? null : { code: 'wait.pacing_domain', params: { limit, domain: full } }
}

/** What is known of a campaign's pace. */
export interface PaceFacts {
  active: number
  nextStartAt: Date | null
}

/** How many more items the pacing lets begin now, and why no more. */
export function paceAllows(
  pacing: Pacing,
  facts: PaceFacts,
  now: Date,
): { count: number; reason: WaitReason | null } {
  if (pacing.delaySeconds > 0 && facts.nextStartAt && facts.nextStartAt > now)
    return {
      count: 0,
      reason: { code: 'wait.pacing_delay', params: { until: facts.nextStartAt.toISOString() } },
    }
  const room: { count: number; reason: WaitReason | null }[] = []
  if (pacing.maxParallel !== null)
    room.push({
      count: pacing.maxParallel - facts.active,
      reason: { code: 'wait.pacing_parallel', params: { limit: pacing.maxParallel } },
    })
  if (pacing.delaySeconds > 0)
    room.push({ count: 1, reason: { code: 'wait.pacing_delay', params: { until: null } } })
  const tightest = room.sort((a, b) => a.count - b.count)[0]
  if (!tightest) return { count: Infinity, reason: null }
  return { count: Math.max(0, tightest.count), reason: tightest.reason }
}
