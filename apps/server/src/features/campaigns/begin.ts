import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { itemMachine } from '@weft/contract/campaigns/states'
import { stateAfter, stateAllows } from '../../kit/machine-sql.ts'
import { newId } from '../../kit/id.ts'
import { recordset } from '../../kit/recordset.ts'
import type { Tx } from '../../kit/context.ts'
import { moveCampaign } from './lifecycle.ts'
import { loadSets } from './load-sets.ts'
import { plan, type Binding } from './planner.ts'
import { campaign, type CampaignRow } from './table.ts'

const BATCH = 2000
/** Items that one job makes ready. */
export const RELEASE_BATCH = 5000

/** What beginning a campaign did: how many items it has, or why it went back to draft. */
export type Begun =
  | { total: number; campaign: CampaignRow }
  | { refused: 'nothing_to_do' | 'project_closed'; campaign: CampaignRow }

/**
 * Plans a scheduled campaign and writes its whole ledger, in the caller's one transaction: either every item is there and
 * the campaign runs, or nothing happened. Gives null where the campaign is not to begin (any more).
 */
export async function begin(tx: Tx, id: string): Promise<Begun | null> {
  const [found] = await tx
    .select()
    .from(campaign)
    .where(sql`${campaign.id} = ${id} and ${campaign.state} = 'scheduled' and ${campaign.deletedAt} is null`)
    .for('update')
  if (!found || (found.beginAt && found.beginAt.getTime() > Date.now() + 1000)) return null
  if (await isClosed(tx, found.projectId)) return refuse(tx, id, 'project_closed')
  const { sets, linked } = await loadSets(tx, id)
  let total = 0
  let batch: Binding[] = []
  for (const entry of plan(found.pairing, sets, linked)) {
    if (!('item' in entry)) continue
    batch.push(entry.item)
    if (batch.length === BATCH) {
      await insertItems(tx, id, total, batch)
      total += batch.length
      batch = []
    }
  }
  await insertItems(tx, id, total, batch)
  total += batch.length
  if (total === 0) return refuse(tx, id, 'nothing_to_do')
  const running = await moveCampaign(tx, id, 'begin', { set: { startedAt: new Date(), beginAt: null } })
  return running ? { total, campaign: running } : null
}

async function refuse(tx: Tx, id: string, reason: 'nothing_to_do' | 'project_closed'): Promise<Begun | null> {
  const back = await moveCampaign(tx, id, 'unschedule', { reason, set: { beginAt: null, release: null } })
  return back ? { refused: reason, campaign: back } : null
}

/** Whether its project was frozen or archived since the start was asked for. */
async function isClosed(tx: Tx, projectId: string | null): Promise<boolean> {
  if (projectId === null) return false
  const { rows } = await tx.execute(sql`select 1 from project where id = ${projectId} and status <> 'active'`)
  return rows.length > 0
}

const ITEM = {
  id: 'uuid',
  seq: 'int',
  account: 'uuid',
  profile: 'uuid',
  proxy: 'uuid',
  phone: 'uuid',
  video: 'uuid',
} as const

async function insertItems(tx: Tx, campaignId: string, before: number, bindings: Binding[]): Promise<void> {
  if (bindings.length === 0) return
  const rows = bindings.map((binding, index) => ({
    id: newId(),
    seq: before + index + 1,
    account: binding.account?.id ?? null,
    profile: binding.profile?.id ?? null,
    proxy: binding.proxy?.id ?? null,
    phone: binding.phone?.id ?? null,
    video: binding.video?.id ?? null,
  }))
  await tx.execute(sql`
    insert into campaign_item (id, campaign_id, seq, account_id, profile_id, proxy_id, phone_id, video_id)
    select v.id, ${campaignId}::uuid, v.seq, v.account, v.profile, v.proxy, v.phone, v.video
    from ${recordset(ITEM, rows)}`)
}

/** The batches by which a campaign's planned items are made ready. */
export function releaseBatches(total: number): { from: number; to: number }[] {
  return Array.from({ length: Math.ceil(total / RELEASE_BATCH) }, (_, index) => ({
    from: index * RELEASE_BATCH + 1,
    to: Math.min(total, (index + 1) * RELEASE_BATCH),
  }))
}

/** Makes planned items ready. Doing it twice changes nothing more. */
export async function release(
  tx: Tx,
  campaignId: string,
  batch: { from: number; to: number },
): Promise<number> {
  const result = await tx.execute(sql`
    update campaign_item i set state = ${stateAfter(itemMachine, 'release', sql`i.state`)}
    from campaign c
    where c.id = i.campaign_id and c.state in ('running', 'completing', 'pausing', 'paused')
      and i.campaign_id = ${campaignId} and i.seq between ${batch.from} and ${batch.to}
      and ${stateAllows(itemMachine, 'release', sql`i.state`)}`)
  return z.number().parse(result.rowCount ?? 0)
}

/**
 * Cancels what has not begun; gives how many. What is held after an irreversible step was done becomes uncertain, as
 * everything that ends unsuccessful after one does.
 */
export async function cancelWaiting(tx: Tx, campaignId: string): Promise<number> {
  await doubtHeld(tx, sql`i.campaign_id = ${campaignId}`)
  const result = await tx.execute(sql`
    update campaign_item i set state = ${stateAfter(itemMachine, 'cancel', sql`i.state`)}, settled_at = now(), ready_at = null
    where i.campaign_id = ${campaignId} and i.state in ('planned', 'ready')`)
  return result.rowCount ?? 0
}

/** Has a person decide on held items whose runs did something irreversible, where they will not go on. Gives how many. */
export async function doubtHeld(tx: Tx, which: SQL): Promise<number> {
  const error = {
    class: 'EffectDone',
    message: 'An irreversible step was done, and the item was cancelled while it waited.',
    stepId: null,
    stepName: null,
  }
  const { rowCount } = await tx.execute(sql`
    update campaign_item i set state = ${stateAfter(itemMachine, 'doubt', sql`i.state`)}, ready_at = null,
      error = ${JSON.stringify(error)}::jsonb
    from run_hold h join run r on r.id = h.run_id
    where ${which} and i.state = 'ready' and h.id = i.hold_id and cardinality(r.confirmed) > 0`)
  return rowCount ?? 0
}
