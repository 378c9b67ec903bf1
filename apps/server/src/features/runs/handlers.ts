import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { runEventSchema } from '@weft/contract/agents/reports'
import { CAMPAIGN_STATES, CLOSED_CAMPAIGNS, ITEM_STATES, itemMachine } from '@weft/contract/campaigns/states'
import { next } from '@weft/contract/core/machine'
import type { runs } from '@weft/contract/runs/api'
import {
  ATTENDED_PURPOSES,
  logLineSchema,
  RUN_CYCLES,
  RUN_RESULTS,
  runErrorSchema,
  type Run,
  type RunDetail,
} from '@weft/contract/runs/schema'
import { momentOrNull } from '../../kit/moment.ts'
import { AppError } from '../../kit/app-error.ts'
import { stream } from '../../kit/answers.ts'
import type { CallContext } from '../../kit/context.ts'
import type { FileStore } from '../../kit/file-store.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import type { Tx } from '../../db/connection.ts'
import type { Engine } from '../../engine/engine.ts'
import { campaign } from '../campaigns/table.ts'
import { stopRuns } from '../campaigns/stop-runs.ts'
import { mayOfRun, RUN_COLUMNS } from './rules.ts'
import { run } from './table.ts'
import { timeline } from './timeline.ts'

const viewRow = z.object({
  id: z.string(),
  campaign_id: z.string().nullable(),
  campaign: z.string().nullable(),
  item_id: z.string().nullable(),
  seq: z.number().nullable(),
  item_run: z.string().nullable(),
  item_state: z.enum(ITEM_STATES).nullable(),
  campaign_state: z.enum(CAMPAIGN_STATES).nullable(),
  owner_id: z.string().nullable(),
  project_id: z.string().nullable(),
  attempt: z.number(),
  workflow_id: z.string().nullable(),
  workflow: z.string().nullable(),
  release: z.number().nullable(),
  client_id: z.string(),
  client: z.string(),
  account: z.string().nullable(),
  cycle: z.enum(RUN_CYCLES),
  result: z.enum(RUN_RESULTS).nullable(),
  error: runErrorSchema.nullable(),
  cancel_requested_at: momentOrNull,
  cancel_reason: z.string().nullable(),
  step: z.string().nullable(),
  outputs: z.record(z.string(), z.unknown()).nullable(),
  queued_at: momentOrNull,
  started_at: momentOrNull,
  finished_at: momentOrNull,
  retry_of_id: z.string().nullable(),
  agent_version: z.string().nullable(),
  browser: z.string().nullable(),
  log_bytes: z.coerce.number(),
  resumable: z.boolean(),
  tester: z.string().nullable(),
  attended: z.enum(ATTENDED_PURPOSES).nullable(),
})
type View = z.infer<typeof viewRow>

async function views(tx: Tx, ids: readonly string[]): Promise<View[]> {
  if (ids.length === 0) return []
  const result = await tx.execute(sql`
    select r.*, r.checkpoint is not null as resumable, c.title as campaign, c.state as campaign_state, c.project_id, i.seq, i.run_id as item_run, i.state as item_state, w.name as workflow,
      k.name as client, a.username as account,
      (select t.started_by from test_run t where t.run_id = r.id and r.release is null) as tester,
      (select t.purpose from attended_run t where t.run_id = r.id and r.workflow_id is null) as attended
    from run r left join campaign c on c.id = r.campaign_id left join campaign_item i on i.id = r.item_id
    left join workflow w on w.id = r.workflow_id join client k on k.id = r.client_id left join account a on a.id = r.account_id
    where r.id in ${[...ids]}`)
  const found = new Map(result.rows.map((raw) => [viewRow.parse(raw).id, viewRow.parse(raw)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Whether the run is its item's last one and the item could be tried again now. */
function isRetryable(row: View): boolean {
  if (row.item_run !== row.id || row.item_state === null || row.campaign_state === null) return false
  return (
    next(itemMachine, row.item_state, 'retry') !== undefined && !CLOSED_CAMPAIGNS.includes(row.campaign_state)
  )
}

function present(row: View, mayRun: boolean): Run {
  const can: string[] = []
  if (mayRun && row.cycle !== 'finished' && !row.cancel_requested_at) can.push('cancel')
  if (mayRun && row.cycle === 'finished' && isRetryable(row))
    can.push('retry', ...(row.resumable ? ['retryFromStep'] : []))
  return {
    id: row.id,
    campaignId: row.campaign_id,
    campaignTitle: row.campaign,
    itemId: row.item_id,
    itemSeq: row.seq,
    attempt: row.attempt,
    workflowId: row.workflow_id,
    workflowName: row.workflow ?? '',
    release: row.release,
    attended: row.attended,
    clientId: row.client_id,
    clientName: row.client,
    accountName: row.account,
    cycle: row.cycle,
    result: row.result,
    error: row.error,
    cancelRequestedAt: row.cancel_requested_at,
    cancelReason: row.cancel_reason,
    step: row.step,
    outputs: row.outputs,
    queuedAt: row.queued_at ?? '',
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    retryOfId: row.retry_of_id,
    agentVersion: row.agent_version,
    browser: row.browser,
    can,
  }
}

/** A run whose campaign this person may act on: the campaign's rules are the run's. Test runs are their authors' too. */
async function findRun(ctx: CallContext, id: string, action: 'VIEW' | 'RUN'): Promise<View> {
  const [visible] = await ctx.tx
    .select({ id: run.id, allowed: sql<boolean>`${mayOfRun(ctx, action)}` })
    .from(run)
    .where(and(eq(run.id, id), mayOfRun(ctx, 'VIEW')))
  if (!visible) throw new AppError('record.not_found')
  if (!visible.allowed) throw new AppError('access.denied')
  const [row] = await views(ctx.tx, [id])
  if (!row) throw new AppError('record.not_found')
  return row
}

const mayRun = (ctx: CallContext, row: View) =>
  row.tester === ctx.user.id ||
  ctx.can('RUN', 'CAMPAIGN', {
    id: row.campaign_id,
    ownerId: row.owner_id,
    projectId: row.project_id,
  })

/** Retrying a run is having its item tried again: the one way for both. */
export type RetryItem = (ctx: CallContext, input: { id: string; from: 'start' | 'step' }) => Promise<unknown>

/** Runs: reading them, their logs and files; cancelling; trying again. */
export function runHandlers(
  engine: Engine,
  files: FileStore,
  retryItem: RetryItem,
): Implementation<typeof runs> {
  return {
    list: (ctx, input) =>
      listOf(ctx.tx, input, {
        rows: (tx) =>
          tx.select({ id: run.id }).from(run).leftJoin(campaign, eq(campaign.id, run.campaignId)).$dynamic(),
        table: run,
        id: run.id,
        where: [
          ctx.scope('VIEW', 'CAMPAIGN', RUN_COLUMNS),
          input.campaignId ? eq(run.campaignId, input.campaignId) : undefined,
          input.itemId ? eq(run.itemId, input.itemId) : undefined,
          input.clientId ? eq(run.clientId, input.clientId) : undefined,
          input.workflowId ? eq(run.workflowId, input.workflowId) : undefined,
          input.cycle?.length ? inArray(run.cycle, input.cycle) : undefined,
          input.result?.length ? inArray(run.result, input.result) : undefined,
        ],
        sort: { queuedAt: run.queuedAt, startedAt: run.startedAt, finishedAt: run.finishedAt },
        defaultSort: { by: 'queuedAt', desc: true },
        present: async (rows, tx) =>
          (
            await views(
              tx,
              rows.map((row) => row.id),
            )
          ).map((row) => present(row, mayRun(ctx, row))),
      }),

    async get(ctx, { id }) {
      const row = await findRun(ctx, id, 'VIEW')
      return { ...present(row, mayRun(ctx, row)), ...(await detail(ctx.tx, row)) }
    },

    async log(ctx, { id, offset, bytes }) {
      const row = await findRun(ctx, id, 'VIEW')
      return { ...(await readLog(ctx.tx, id, offset, bytes)), size: row.log_bytes }
    },

    async file(ctx, { id }) {
      const result = await ctx.tx.execute(sql`
        select f.sha256, f.size, f.name, f.content_type, f.kind from run_file f join run on run.id = f.run_id
        where f.id = ${id} and ${mayOfRun(ctx, 'VIEW')}`)
      const row = z
        .object({
          sha256: z.string(),
          size: z.coerce.number(),
          name: z.string(),
          content_type: z.string(),
          kind: z.string(),
        })
        .safeParse(result.rows[0])
      if (!row.success) throw new AppError('record.not_found')
      const body = await files.read(row.data.sha256)
      if (!body) throw new AppError('record.not_found')
      const shown = row.data.kind === 'screenshot' && /^image\/(png|jpeg)$/.test(row.data.content_type)
      return stream({
        contentType: shown || row.data.kind === 'trace' ? row.data.content_type : 'application/octet-stream',
        ...(shown ? {} : { fileName: row.data.name }),
        length: row.data.size,
        body,
      })
    },

    async cancel(ctx, { id, note }) {
      const row = await findRun(ctx, id, 'RUN')
      if (row.cycle === 'finished') throw new AppError('run.wrong_state', { state: row.cycle })
      const reason = note ?? `cancelled by ${ctx.user.username}`
      await stopRuns(ctx, engine, { runId: id }, reason)
      ctx.audit({ feature: 'runs', recordId: id, after: { reason } })
      ctx.event({ feature: 'runs', id, kind: 'updated', parentId: row.campaign_id, ownerId: row.owner_id })
      return present(await findRun(ctx, id, 'VIEW'), true)
    },

    async retry(ctx, { id, from }) {
      const row = await findRun(ctx, id, 'RUN')
      if (row.cycle !== 'finished' || !row.item_id)
        throw new AppError('run.wrong_state', { state: row.cycle })
      if (row.item_run !== row.id) throw new AppError('run.wrong_state', { state: 'superseded' })
      await retryItem(ctx, { id: row.item_id, from })
      return present(await findRun(ctx, id, 'VIEW'), true)
    },
  }
}

const fileRow = z.object({
  id: z.string(),
  seq: z.number(),
  kind: z.enum(['screenshot', 'trace', 'download']),
  name: z.string(),
  size: z.coerce.number(),
  content_type: z.string(),
  step_id: z.string().nullable(),
  path: z.string().nullable(),
  at: momentOrNull,
})
const otherRow = z.object({
  id: z.string(),
  attempt: z.number(),
  result: z.enum(RUN_RESULTS).nullable(),
  queued_at: momentOrNull,
})
const lateRow = z.object({ at: momentOrNull, kind: z.string(), detail: z.unknown() })
const EVENT_BATCHES = 2000

/** The steps and files of a run, with what else is known of it. */
async function detail(
  tx: Tx,
  row: View,
): Promise<Pick<RunDetail, 'steps' | 'files' | 'otherRuns' | 'lateReports' | 'logBytes'>> {
  const events = await tx.execute(sql`
    select events from run_event where run_id = ${row.id} order by first_seq limit ${EVENT_BATCHES}`)
  const files = (
    await tx.execute(sql`select * from run_file where run_id = ${row.id} order by seq`)
  ).rows.map((raw) => fileRow.parse(raw))
  const others = row.item_id
    ? await tx.execute(sql`
        select id, attempt, result, queued_at from run where item_id = ${row.item_id} and id <> ${row.id} order by queued_at`)
    : { rows: [] }
  const late = await tx.execute(
    sql`select at, kind, detail from run_late_report where run_id = ${row.id} order by id`,
  )
  const all = events.rows.flatMap((raw) => z.object({ events: z.array(runEventSchema) }).parse(raw).events)
  return {
    steps: timeline(all, new Map(files.map((file) => [file.seq, file.id]))).map((step) =>
      // The run left: what it was in goes on in the next one.
      row.result === 'held' && step.state === 'running' ? { ...step, state: 'waiting' } : step,
    ),
    files: files.map((file) => ({
      id: file.id,
      kind: file.kind,
      name: file.name,
      size: file.size,
      contentType: file.content_type,
      stepId: file.step_id,
      path: file.path,
      at: file.at ?? '',
    })),
    otherRuns: others.rows.map((raw) => {
      const other = otherRow.parse(raw)
      return { id: other.id, attempt: other.attempt, result: other.result, queuedAt: other.queued_at ?? '' }
    }),
    lateReports: late.rows.map((raw) => {
      const report = lateRow.parse(raw)
      return { at: report.at ?? '', kind: report.kind, detail: report.detail }
    }),
    logBytes: row.log_bytes,
  }
}

const chunkRow = z.object({ start: z.coerce.number(), bytes: z.instanceof(Buffer) })

/** Whole lines of a stored log from a byte offset on; `next` is the offset after the last of them. */
export async function readLog(tx: Tx, runId: string, offset: number, maxBytes: number) {
  const result = await tx.execute(sql`
    select start, bytes from run_log where run_id = ${runId} and start + length(bytes) > ${offset}
      and start < ${offset + maxBytes} order by start`)
  const chunks = result.rows.map((raw) => chunkRow.parse(raw))
  const first = chunks[0]
  if (!first) return { lines: [], next: offset }
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes)).subarray(Math.max(0, offset - first.start))
  const end = bytes.lastIndexOf(0x0a)
  if (end < 0) return { lines: [], next: offset }
  const lines = bytes
    .subarray(0, end)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const parsed = logLineSchema.safeParse(parseJson(line))
      return parsed.success ? [parsed.data] : []
    })
  return { lines, next: offset + end + 1 }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line that the agent could not write whole before it was killed.
    return null
  }
}
