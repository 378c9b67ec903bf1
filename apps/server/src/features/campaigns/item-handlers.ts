import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { campaigns } from '@weft/contract/campaigns/api'
import { CLOSED_CAMPAIGNS, itemMachine, type ItemEvent } from '@weft/contract/campaigns/states'
import { AppError } from '../../kit/app-error.ts'
import { AllRows } from '../../kit/answers.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { stateAfter, stateAllows } from '../../kit/machine-sql.ts'
import { findRecord } from '../../kit/record.ts'
import type { Engine } from '../../engine/engine.ts'
import { doubtHeld } from './begin.ts'
import { presentItem, selectItems, type ItemView } from './items.ts'
import { moveCampaign } from './lifecycle.ts'
import { campaignSource } from './source.ts'
import { campaignItem, type CampaignRow, type ItemRow } from './table.ts'
import { explain } from './waiting.ts'
import { stopRuns } from './stop-runs.ts'

type Own = Pick<
  Implementation<typeof campaigns>,
  'items' | 'item' | 'retryItem' | 'skipItem' | 'doneItem' | 'cancelItem'
>

const ORDERS = { seq: sql`i.seq`, state: sql`i.state`, attempt: sql`i.attempt`, settledAt: sql`i.settled_at` }
const STREAM_PAGE = 1000

/** The ledger: reading it, and what a person decides about single items. */
export function itemHandlers(engine: Engine): Own {
  const present = async (ctx: CallContext, row: CampaignRow, views: ItemView[]) => {
    const reasons = await explain(ctx.tx, row, views, { params: engine.params, open: await engine.isOpen() })
    const mayRun = ctx.can('RUN', 'CAMPAIGN', row)
    return views.map((view) => presentItem(view, row.state, mayRun, reasons.get(view.id) ?? []))
  }

  const findItem = async (ctx: CallContext, id: string, action: 'VIEW' | 'RUN', lock: boolean) => {
    const query = ctx.tx.select().from(campaignItem).where(eq(campaignItem.id, id))
    const [item] = await (lock ? query.for('update') : query)
    if (!item) throw new AppError('record.not_found')
    return { item, row: await findRecord(ctx, campaignSource, item.campaignId, action) }
  }

  const one = async (ctx: CallContext, row: CampaignRow, id: string) => {
    const views = await selectItems(ctx.tx, sql`i.id = ${id}`)
    const [item] = await present(ctx, row, views)
    if (!item) throw new AppError('record.not_found')
    return item
  }

  const decide = async (
    ctx: CallContext,
    id: string,
    event: ItemEvent,
    note: string | undefined,
    from: 'start' | 'step' = 'start',
  ) => {
    const { item, row } = await findItem(ctx, id, 'RUN', true)
    if (event === 'retry' && CLOSED_CAMPAIGNS.includes(row.state))
      throw new AppError('campaign.wrong_state', { state: row.state, action: 'retry' })
    const startAt = from === 'step' ? await checkpointOf(ctx, item) : null
    const doubted = event === 'cancel' && (await doubtHeld(ctx.tx, sql`i.id = ${item.id}`)) > 0
    if (!doubted) await move(ctx, item, event, note, startAt)
    ctx.audit({
      feature: 'campaigns',
      recordId: row.id,
      before: { item: item.seq, state: item.state },
      after: { event, note, ...(event === 'retry' ? { from } : {}) },
    })
    if (event === 'retry' && (row.state === 'finished' || row.state === 'finished_with_errors'))
      await moveCampaign(ctx.tx, row.id, 'reopen', { set: { finishedAt: null } })
    ctx.event({ feature: 'campaigns', id: row.id, kind: 'updated', ownerId: row.ownerId })
    ctx.afterCommit(() => {
      engine.look(row.id)
      engine.wake(null)
    })
    return one(ctx, row, id)
  }

  return {
    async items(ctx, query) {
      const row = await findRecord(ctx, campaignSource, query.id)
      const states = query.state && query.state.length > 0 ? sql`and i.state in ${query.state}` : sql``
      const pattern = query.q ? `%${query.q.replace(/[\\%_]/g, '\\$&')}%` : null
      const named = pattern
        ? sql`and (i.seq::text = ${query.q ?? ''} or exists (select 1 from account a where a.id = i.account_id and a.search ilike ${pattern}))`
        : sql``
      const where = sql`i.campaign_id = ${row.id} ${states} ${named}`
      const direction = query.sortDesc ? sql`desc` : sql`asc`
      const order = sql`order by ${ORDERS[query.sortBy ?? 'seq']} ${direction}, i.seq ${direction}`
      const counted = await ctx.tx.execute(sql`select count(*)::int as n from campaign_item i where ${where}`)
      const total = z.object({ n: z.number() }).parse(counted.rows[0]).n
      if (query.perPage === -1) return new AllRows(everyItem(ctx, row, where, present), total)
      const page = sql`limit ${query.perPage} offset ${(query.page - 1) * query.perPage}`
      const views = await selectItems(ctx.tx, where, order, page)
      return {
        data: await present(ctx, row, views),
        totalPage: Math.ceil(total / query.perPage),
        totalRecord: total,
      }
    },

    async item(ctx, { id }) {
      const { row } = await findItem(ctx, id, 'VIEW', false)
      return one(ctx, row, id)
    },

    retryItem: (ctx, { id, note, from }) => decide(ctx, id, 'retry', note, from),
    skipItem: (ctx, { id, note }) => decide(ctx, id, 'skip', note),
    doneItem: (ctx, { id, note }) => decide(ctx, id, 'markDone', note),

    async cancelItem(ctx, { id, note }) {
      const { item, row } = await findItem(ctx, id, 'RUN', true)
      if (item.state !== 'leased' && item.state !== 'running') return decide(ctx, id, 'cancel', note)
      if (!item.runId) throw new AppError('item.wrong_state', { state: item.state, action: 'cancel' })
      const reason = note ?? `cancelled by ${ctx.user.username}`
      await stopRuns(ctx, engine, { runId: item.runId }, reason)
      ctx.audit({
        feature: 'campaigns',
        recordId: row.id,
        after: { item: item.seq, event: 'cancel', reason },
      })
      ctx.event({ feature: 'runs', id: item.runId, kind: 'updated', parentId: row.id, ownerId: row.ownerId })
      return one(ctx, row, id)
    },
  }
}

async function move(
  ctx: CallContext,
  item: ItemRow,
  event: ItemEvent,
  note: string | undefined,
  startAt: string | null,
): Promise<void> {
  const settles = event === 'skip' || event === 'markDone' || event === 'cancel'
  const [moved] = await ctx.tx
    .update(campaignItem)
    .set({
      state: stateAfter(itemMachine, event, campaignItem.state),
      ...(note === undefined ? {} : { note }),
      ...(event === 'retry'
        ? { attemptsForgiven: item.attempt, readyAt: null, settledAt: null, startAt, holdId: null }
        : {}),
      ...(settles ? { settledAt: new Date(), readyAt: null } : {}),
    })
    .where(sql`${campaignItem.id} = ${item.id} and ${stateAllows(itemMachine, event, campaignItem.state)}`)
    .returning({ id: campaignItem.id })
  if (!moved) throw new AppError('item.wrong_state', { state: item.state, action: event })
}

/** Where the item's last run stood, as the next one's job says where to begin. */
async function checkpointOf(ctx: CallContext, item: ItemRow): Promise<string> {
  const found = await ctx.tx.execute(sql`select checkpoint::text as text from run where id = ${item.runId}`)
  const row = z.object({ text: z.string() }).safeParse(found.rows[0])
  if (!row.success) throw new AppError('run.no_checkpoint')
  return row.data.text
}

async function* everyItem(
  ctx: CallContext,
  row: CampaignRow,
  where: ReturnType<typeof sql>,
  present: (
    ctx: CallContext,
    row: CampaignRow,
    views: ItemView[],
  ) => Promise<ReturnType<typeof presentItem>[]>,
) {
  let after = 0
  for (;;) {
    const views = await selectItems(
      ctx.tx,
      sql`${where} and i.seq > ${after}`,
      sql`order by i.seq`,
      sql`limit ${STREAM_PAGE}`,
    )
    yield* await present(ctx, row, views)
    const last = views.at(-1)
    if (!last || views.length < STREAM_PAGE) return
    after = last.seq
  }
}
