import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { reports } from '@weft/contract/reports/api'
import type { CallContext } from '../../kit/context.ts'
import { fieldError } from '../../kit/app-error.ts'
import type { Implementation } from '../../kit/implement.ts'
import type { Engine } from '../../engine/engine.ts'
import { presentCampaigns } from '../campaigns/present.ts'
import { campaignSource } from '../campaigns/source.ts'
import { campaign } from '../campaigns/table.ts'
import { client } from '../clients/table.ts'

const figuresRow = z.object({
  done: z.number(),
  failed: z.number(),
  uncertain: z.number(),
  runs: z.number(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
})
const MAX_DAYS = 400
const DAY_MS = 86_400_000

/** Figures of campaigns, filtered by the same rules as the lists. */
export function reportHandlers(engine: Engine): Implementation<typeof reports> {
  return {
    async summary(ctx, { campaignIds, projectId, from, to, timeZone, groupBy }) {
      const start = new Date(from)
      const end = new Date(to)
      const length = end.getTime() - start.getTime()
      if (length <= 0) throw fieldError('to', 'too_early', 'The end must come after the beginning.')
      if (length > MAX_DAYS * DAY_MS || (groupBy === 'hour' && length > 31 * DAY_MS))
        throw fieldError('from', 'too_long', 'This period is too long.')
      const visible = sql`c.deleted_at is null and ${ctx.scope('VIEW', 'CAMPAIGN', { id: sql`c.id`, ownerId: sql`c.owner_id`, projectId: sql`c.project_id::text` })}
        ${campaignIds ? sql`and c.id in ${campaignIds}` : sql``} ${projectId ? sql`and c.project_id = ${projectId}` : sql``}`
      const figures = (a: Date, b: Date) => figuresOf(ctx, visible, a, b)
      const series = await ctx.tx.execute(sql`
        select date_trunc(${groupBy}, r.finished_at, ${timeZone}) as at,
          count(*) filter (where r.result = 'succeeded')::int as done,
          count(*) filter (where r.result in ('failed', 'timed_out'))::int as failed
        from run r join campaign c on c.id = r.campaign_id
        where ${visible} and r.finished_at >= ${start.toISOString()} and r.finished_at < ${end.toISOString()} group by 1 order by 1`)
      const errors = await ctx.tx.execute(sql`
        select r.error ->> 'class' as class, count(*)::int as count from run r join campaign c on c.id = r.campaign_id
        where ${visible} and r.finished_at >= ${start.toISOString()} and r.finished_at < ${end.toISOString()} and r.error is not null
        group by 1 order by 2 desc limit 20`)
      const recent = await ctx.tx
        .select()
        .from(campaign)
        .where(
          sql`${campaign.deletedAt} is null and ${campaign.state} <> 'archived' and ${ctx.scope('VIEW', 'CAMPAIGN', campaignSource.columns)}`,
        )
        .orderBy(sql`${campaign.updatedAt} desc`)
        .limit(8)
      return {
        at: new Date().toISOString(),
        from: start.toISOString(),
        to: end.toISOString(),
        clients: await clientFigures(ctx, engine.params.lateSeconds),
        campaigns: await campaignFigures(ctx, visible),
        current: await figures(start, end),
        previous: await figures(new Date(start.getTime() - length), start),
        series: series.rows.map((raw) => {
          const row = z.object({ at: z.coerce.date(), done: z.number(), failed: z.number() }).parse(raw)
          return { ...row, at: row.at.toISOString() }
        }),
        errors: errors.rows.map((raw) => z.object({ class: z.string(), count: z.number() }).parse(raw)),
        recent: await presentCampaigns(ctx.tx, recent, ctx),
      }
    },
  }
}

async function figuresOf(ctx: CallContext, visible: SQL, from: Date, to: Date) {
  const result = await ctx.tx.execute(sql`
    select count(*) filter (where r.result = 'succeeded')::int as done,
      count(*) filter (where r.result in ('failed', 'timed_out'))::int as failed,
      count(*) filter (where i.state = 'uncertain' and i.run_id = r.id)::int as uncertain,
      count(*)::int as runs,
      percentile_cont(0.5) within group (order by extract(epoch from r.finished_at - r.started_at) * 1000)::float8 as p50,
      percentile_cont(0.95) within group (order by extract(epoch from r.finished_at - r.started_at) * 1000)::float8 as p95
    from run r join campaign c on c.id = r.campaign_id left join campaign_item i on i.id = r.item_id
    where ${visible} and r.finished_at >= ${from.toISOString()} and r.finished_at < ${to.toISOString()}`)
  const { p50, p95, ...counts } = figuresRow.parse(result.rows[0])
  return { ...counts, p50Ms: p50, p95Ms: p95 }
}

async function clientFigures(ctx: CallContext, lateSeconds: number) {
  const visible = ctx.scope('VIEW', 'CLIENT', { id: client.id, ownerId: client.ownerId })
  const result = await ctx.tx.execute(sql`
    select count(*)::int as total, count(*) filter (where live)::int as online,
      coalesce(sum(thread) filter (where live), 0)::int as slots,
      coalesce(sum(greatest(thread - busy, 0)) filter (where live), 0)::int as free
    from (select client.thread, client.session_hash is not null and client.admin = 'enabled'
        and client.last_seen_at > now() - make_interval(secs => ${lateSeconds}) as live,
        (select count(*)::int from run r where r.client_id = client.id and r.finished_at is null) as busy
      from client where client.deleted_at is null and ${visible}) x`)
  const row = z
    .object({ total: z.number(), online: z.number(), slots: z.number(), free: z.number() })
    .parse(result.rows[0])
  return { total: row.total, online: row.online, slots: row.slots, freeSlots: row.free }
}

async function campaignFigures(ctx: CallContext, visible: SQL) {
  const result = await ctx.tx.execute(sql`
    select count(*)::int as total, count(*) filter (where c.state in ('running', 'pausing', 'completing'))::int as running,
      count(*) filter (where exists (select 1 from campaign_tally t where t.campaign_id = c.id group by t.campaign_id
        having sum(t.uncertain) > 0))::int as needs
    from campaign c where ${visible} and c.state <> 'archived'`)
  const row = z.object({ total: z.number(), running: z.number(), needs: z.number() }).parse(result.rows[0])
  return { total: row.total, running: row.running, needsPerson: row.needs }
}
