import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { accounts } from '@weft/contract/accounts/api'
import type { TimelineEntry } from '@weft/contract/accounts/timeline'
import type { CallContext } from '../../../kit/context.ts'
import type { Handler } from '../../../kit/implement.ts'
import { findRecord, iso } from '../../../kit/record.ts'
import { sourceOf } from '../../../kit/resource/definition.ts'
import { audit } from '../../../kit/tables.ts'
import { campaign } from '../../campaigns/table.ts'
import { client } from '../../clients/table.ts'
import { runScope } from '../../runs/scope.ts'
import { run } from '../../runs/table.ts'
import { workflow } from '../../workflows/table.ts'
import { accountResource } from '../resource.ts'
import { account } from '../table.ts'
import { accountEvent } from './table.ts'

/** What happened to one account, from three sources, each read along its index no further than the page needs. */
export const timelineHandler: Handler<typeof accounts.timeline> = async (ctx, { id, before, limit }) => {
  await findRecord(ctx, sourceOf(accountResource), id)
  const page = { id, before, count: limit + 1 }
  const found = [
    ...(await runsOf(ctx, page)),
    ...(await changesOf(ctx, page)),
    ...(await statusesOf(ctx, page)),
  ].toSorted((a, b) => (cursorOf(a) < cursorOf(b) ? 1 : -1))
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  return { entries, next: last && found.length > limit ? cursorOf(last) : null }
}

interface PageOf {
  id: string
  before: string | undefined
  count: number
}

const cursorOf = ({ at, id }: TimelineEntry) => `${at}_${id}`

/** The condition of what comes after the page before. */
function after(before: string | undefined, at: PgColumn, id: PgColumn): SQL | undefined {
  if (before === undefined) return undefined
  const [time, last] = before.split('_')
  return sql`(${at}, ${id}) < (${time}::timestamptz, ${last}::uuid)`
}

/** How many runs of the account had begun in the time up to this one's beginning, this one included. */
const begunWithin = (
  hours: number,
) => sql`(select count(*) from run other where other.account_id = ${run.accountId}
  and other.queued_at between ${run.startedAt} - make_interval(hours => ${hours + 1}) and ${run.startedAt}
  and other.started_at > ${run.startedAt} - make_interval(hours => ${hours}) and other.started_at <= ${run.startedAt})`
const isFull = (limit: string, hours: number) =>
  sql`${run.startedAt} is not null and ${begunWithin(hours)} >= (${account.limits} ->> ${limit})::int`

async function runsOf(ctx: CallContext, { id, before, count }: PageOf): Promise<TimelineEntry[]> {
  const rows = await ctx.tx
    .select({
      run,
      campaign: campaign.title,
      workflow: workflow.name,
      client: client.name,
      seen: sql<boolean>`${ctx.scope('VIEW', 'CAMPAIGN', runScope)}`,
      limit: sql<
        'hour' | 'day' | null
      >`case when ${isFull('perDay', 24)} then 'day' when ${isFull('perHour', 1)} then 'hour' end`,
    })
    .from(run)
    .innerJoin(account, eq(account.id, run.accountId))
    .leftJoin(campaign, eq(campaign.id, run.campaignId))
    .leftJoin(workflow, eq(workflow.id, run.workflowId))
    .leftJoin(client, eq(client.id, run.clientId))
    .where(and(eq(run.accountId, id), after(before, run.queuedAt, run.id)))
    .orderBy(desc(run.queuedAt), desc(run.id))
    .limit(count)
  return rows.map(({ run: row, seen, limit, ...names }) => ({
    kind: 'run',
    id: row.id,
    at: row.queuedAt.toISOString(),
    seen,
    campaignId: seen ? row.campaignId : null,
    campaignTitle: seen ? names.campaign : null,
    workflowName: seen ? names.workflow : null,
    clientName: seen ? names.client : null,
    cycle: row.cycle,
    result: row.result,
    error: seen && row.error ? { class: row.error.class, message: row.error.message } : null,
    startedAt: iso(row.startedAt),
    finishedAt: iso(row.finishedAt),
    limit,
  }))
}

async function changesOf(ctx: CallContext, { id, before, count }: PageOf): Promise<TimelineEntry[]> {
  const rows = await ctx.tx
    .select()
    .from(audit)
    .where(and(eq(audit.feature, 'accounts'), eq(audit.recordId, id), after(before, audit.at, audit.id)))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(count)
  return rows.map((row) => ({
    kind: 'change',
    id: row.id,
    at: row.at.toISOString(),
    actorName: row.actorName,
    label: row.label,
    before: row.before,
    after: row.after,
  }))
}

async function statusesOf(ctx: CallContext, { id, before, count }: PageOf): Promise<TimelineEntry[]> {
  const rows = await ctx.tx
    .select()
    .from(accountEvent)
    .where(and(eq(accountEvent.accountId, id), after(before, accountEvent.at, accountEvent.id)))
    .orderBy(desc(accountEvent.at), desc(accountEvent.id))
    .limit(count)
  return rows.map((row) => ({
    kind: 'status',
    id: row.id,
    at: row.at.toISOString(),
    before: row.before,
    after: row.after,
    reason: row.reason,
    error: row.error,
  }))
}
