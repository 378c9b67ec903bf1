import type { Campaign } from '@weft/contract/campaigns/schema'

/**
 * Whether a campaign that should go on does not: it runs, items wait, none is under way, and none was settled in the last
 * minute. Just begun, it has a minute to find its clients.
 */
export function isStalled(campaign: Campaign, now: number): boolean {
  const { state, tally, ratePerMinute, stateChangedAt } = campaign
  if (state !== 'running') return false
  if (now - Date.parse(stateChangedAt) < 30_000) return false
  return tally.leased + tally.running === 0 && tally.ready + tally.planned > 0 && !ratePerMinute
}
