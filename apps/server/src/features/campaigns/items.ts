import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { itemErrorSchema, type Item } from '@weft/contract/campaigns/schema'
import {
  CLOSED_CAMPAIGNS,
  ITEM_STATES,
  itemMachine,
  type CampaignState,
} from '@weft/contract/campaigns/states'
import { next } from '@weft/contract/core/machine'
import { momentOrNull } from '../../kit/moment.ts'
import type { Tx } from '../../db/connection.ts'

const named = z.object({ id: z.string(), name: z.string() }).nullable()
const itemRow = z.object({
  id: z.string(),
  campaign_id: z.string(),
  seq: z.number(),
  state: z.enum(ITEM_STATES),
  attempt: z.number(),
  account: named,
  profile: named,
  proxy: named,
  phone: named,
  video: named,
  client: named,
  run_id: z.string().nullable(),
  step: z.string().nullable(),
  ready_at: momentOrNull,
  error: itemErrorSchema.nullable(),
  outputs: z.record(z.string(), z.unknown()).nullable(),
  started_at: momentOrNull,
  settled_at: momentOrNull,
  cancelling: z.boolean(),
  resumable: z.boolean(),
  /** What comes next goes on with a run that left to wait. */
  goes_on: z.boolean(),
  hold: z.object({ kind: z.enum(['time', 'question']), title: z.string().nullable() }).nullable(),
})
export type ItemView = z.infer<typeof itemRow>

const pair = (alias: string, name: SQL) =>
  sql`case when ${sql.raw(alias)}.id is not null then json_build_object('id', ${sql.raw(alias)}.id, 'name', ${name}) end`

/** Items with the names of what they bind, as rows of one query; `where` and `order` are about `i`. */
export async function selectItems(
  tx: Tx,
  where: SQL,
  order: SQL = sql``,
  page: SQL = sql``,
): Promise<ItemView[]> {
  const result = await tx.execute(sql`
    select i.id, i.campaign_id, i.seq, i.state, i.attempt, i.run_id, i.ready_at, i.error, i.outputs, i.started_at,
      i.settled_at, r.step, r.cancel_requested_at is not null and r.cycle <> 'finished' as cancelling,
      r.checkpoint is not null as resumable, coalesce(r.result = 'held', false) as goes_on,
      case when h.ending is null and h.due_at > now() and i.state = 'ready'
        then json_build_object('kind', h.kind, 'title', h.question ->> 'title') end as hold,
      ${pair('a', sql`a.username`)} as account, ${pair('p', sql`p.name`)} as profile,
      ${pair('x', sql`x.host || ':' || x.port`)} as proxy, ${pair('ph', sql`ph.phone_number`)} as phone,
      ${pair('v', sql`v.title`)} as video, ${pair('c', sql`c.name`)} as client
    from (select * from campaign_item i where ${where} ${order} ${page}) i
    left join run r on r.id = i.run_id left join run_hold h on h.id = i.hold_id
    left join account a on a.id = i.account_id left join profile p on p.id = i.profile_id
    left join proxy x on x.id = i.proxy_id left join phone ph on ph.id = i.phone_id
    left join video v on v.id = i.video_id left join client c on c.id = i.client_id
    ${order}`)
  return result.rows.map((raw) => {
    const row: Record<string, unknown> = { ...raw }
    row['cancelling'] = row['cancelling'] === true
    row['resumable'] = row['resumable'] === true
    return itemRow.parse(row)
  })
}

const ACTIONS = [
  { name: 'retry', event: 'retry' },
  { name: 'skip', event: 'skip' },
  { name: 'done', event: 'markDone' },
  { name: 'cancel', event: 'cancel' },
] as const

/** An item as the contract describes it. `waitReasons` are told by `explain`. */
export function presentItem(
  row: ItemView,
  campaign: CampaignState,
  mayRun: boolean,
  waitReasons: Item['waitReasons'],
): Item {
  const possible = ACTIONS.filter(
    ({ name, event }) =>
      next(itemMachine, row.state, event) !== undefined &&
      !(name === 'cancel' && row.cancelling) &&
      !(name === 'retry' && CLOSED_CAMPAIGNS.includes(campaign)),
  )
  const can: string[] = mayRun ? possible.map(({ name }) => name) : []
  if (row.resumable && can.includes('retry')) can.push('retryFromStep')
  return {
    id: row.id,
    campaignId: row.campaign_id,
    seq: row.seq,
    state: row.state,
    attempt: row.attempt,
    account: row.account,
    profile: row.profile,
    proxy: row.proxy,
    phone: row.phone,
    video: row.video,
    client: row.client,
    runId: row.run_id,
    step: row.state === 'running' ? row.step : null,
    progress: null,
    waitReasons,
    readyAt: row.ready_at,
    error: row.error,
    outputs: row.outputs,
    startedAt: row.started_at,
    settledAt: row.settled_at,
    can,
  }
}
