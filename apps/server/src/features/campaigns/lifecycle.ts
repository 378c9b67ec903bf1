import { sql } from 'drizzle-orm'
import { campaignMachine, type CampaignEvent, type CampaignState } from '@weft/contract/campaigns/states'
import { tallySchema, type Tally } from '@weft/contract/campaigns/schema'
import { z } from 'zod'
import { stateAfter, stateAllows } from '../../kit/machine-sql.ts'
import type { Tx } from '../../kit/context.ts'
import { campaign, type CampaignRow } from './table.ts'

/**
 * The one way a campaign changes its state: compares and sets by the contract's table. Gives the campaign after the
 * change, or null where the event may not happen in its state.
 */
export async function moveCampaign(
  tx: Tx,
  id: string,
  event: CampaignEvent,
  change: { reason?: string | null; set?: Partial<CampaignRow> } = {},
): Promise<CampaignRow | null> {
  const [row] = await tx
    .update(campaign)
    .set({
      ...change.set,
      state: stateAfter(campaignMachine, event, campaign.state),
      stateReason: change.reason ?? null,
      stateChangedAt: sql`now()`,
      updatedAt: sql`now()`,
      version: sql`${campaign.version} + 1`,
    })
    .where(sql`${campaign.id} = ${id} and ${stateAllows(campaignMachine, event, campaign.state)}`)
    .returning()
  return row ?? null
}

const tallyRow = tallySchema.extend({ campaign_id: z.string() })

/** Counts of items by state of some campaigns; one without items has none. */
export async function tallies(tx: Tx, ids: readonly string[]): Promise<Map<string, Tally>> {
  if (ids.length === 0) return new Map()
  const result = await tx.execute(sql`
    select campaign_id, sum(planned)::int as planned, sum(ready)::int as ready, sum(leased)::int as leased,
      sum(running)::int as running, sum(done)::int as done, sum(failed)::int as failed,
      sum(uncertain)::int as uncertain, sum(skipped)::int as skipped, sum(cancelled)::int as cancelled
    from campaign_tally where campaign_id in ${[...ids]} group by campaign_id`)
  return new Map(
    result.rows.map((row) => {
      const { campaign_id: id, ...tally } = tallyRow.parse(row)
      return [id, tally]
    }),
  )
}

/** A campaign that has no items yet. */
export const EMPTY_TALLY: Tally = {
  planned: 0,
  ready: 0,
  leased: 0,
  running: 0,
  done: 0,
  failed: 0,
  uncertain: 0,
  skipped: 0,
  cancelled: 0,
}

/** All items of a campaign. */
export function totalOf(tally: Tally): number {
  return Object.values(tally).reduce((sum, count) => sum + count, 0)
}

/** When errors stop a campaign, and what it had when a person last let it go on. */
interface Policy {
  stopAfter: number | null
  stopAfterPercent: number | null
  failedBefore: number
  settledBefore: number
}

/** What follows for a campaign from the counts of its items; null where nothing does. Pure. */
export function consequence(
  state: CampaignState,
  tally: Tally,
  policy: Policy,
): { event: CampaignEvent; reason: string | null } | null {
  const active = tally.leased + tally.running
  const waiting = tally.planned + tally.ready
  if (state === 'pausing') return active === 0 ? { event: 'settlePause', reason: null } : null
  if (state === 'cancelling') return active + waiting === 0 ? { event: 'settleCancel', reason: null } : null
  if (state !== 'running' && state !== 'completing') return null
  const failed = tally.failed - policy.failedBefore
  const settled = tally.done + tally.failed - policy.settledBefore
  if (waiting > 0) {
    if (policy.stopAfter !== null && failed >= policy.stopAfter) return { event: 'pause', reason: 'errors' }
    if (policy.stopAfterPercent !== null && settled >= 10 && failed * 100 > settled * policy.stopAfterPercent)
      return { event: 'pause', reason: 'errors' }
    return state === 'completing' ? { event: 'reopen', reason: null } : null
  }
  if (state === 'running') return { event: 'exhaust', reason: null }
  if (active > 0 || tally.uncertain > 0) return null
  return { event: tally.failed > 0 ? 'finishWithErrors' : 'finish', reason: null }
}
