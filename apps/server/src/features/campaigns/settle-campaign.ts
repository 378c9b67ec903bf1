import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/connection.ts'
import type { Ended } from '../runs/end.ts'
import { withdrawOffers } from '../runs/sweep.ts'
import { cancelWaiting } from './begin.ts'
import { consequence, EMPTY_TALLY, moveCampaign, tallies } from './lifecycle.ts'
import { campaign } from './table.ts'
import { tellOwner } from './tell.ts'

/** What looking at a campaign found: whether its state moved. */
export interface CampaignChange {
  id: string
  ownerId: string | null
  moved: boolean
  /** Offers that were taken back. */
  ended: Ended[]
}

/** Moves a campaign on as far as the counts of its items lead. Safe to call at any time, by any process. */
export async function settleCampaign(tx: Tx, id: string): Promise<CampaignChange | null> {
  const [row] = await tx
    .select()
    .from(campaign)
    .where(
      sql`${campaign.id} = ${id} and ${campaign.state} in ('running', 'pausing', 'completing', 'cancelling')`,
    )
    .for('update', { skipLocked: true })
  if (!row) return null
  if (row.state === 'cancelling') await cancelWaiting(tx, id)
  const ended = row.state === 'pausing' ? await withdrawOffers(tx, id) : []
  let tally = (await tallies(tx, [id])).get(id) ?? EMPTY_TALLY
  const { failedBefore, settledBefore } = row
  const policy = { ...row.errors, failedBefore, settledBefore }
  let state = row.state
  let moved = false
  for (;;) {
    const next = consequence(state, tally, policy)
    if (!next) break
    const ends = ['finish', 'finishWithErrors', 'settleCancel'].includes(next.event)
    const after = await moveCampaign(tx, id, next.event, {
      reason: next.reason ?? (next.event === 'settlePause' ? row.stateReason : null),
      set: ends ? { finishedAt: new Date() } : {},
    })
    if (!after) break
    await tellOwner(tx, row, next.event, tally)
    state = after.state
    if (state === 'pausing') {
      ended.push(...(await withdrawOffers(tx, id)))
      tally = (await tallies(tx, [id])).get(id) ?? EMPTY_TALLY
    }
    row.stateReason = after.stateReason
    moved = true
  }
  return { id, ownerId: row.ownerId, moved, ended }
}
