import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { RUN_CYCLES, RUN_RESULTS, runErrorSchema } from '@weft/contract/runs/schema'
import { testScopeSchema, type TestRun } from '@weft/contract/test-runs/schema'
import { momentOrNull } from '../../kit/moment.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { anyOf } from '../../kit/recordset.ts'

const text = z.string().nullable()
const row = z.object({
  id: z.string(),
  owner_id: text,
  workflow_id: z.string(),
  scope: testScopeSchema,
  hash: z.string(),
  client_id: z.string(),
  client: z.string(),
  started_by: z.string(),
  starter: text,
  inputs: z.record(z.string(), z.unknown()),
  account_id: text,
  account: text,
  profile_id: text,
  profile: text,
  proxy_id: text,
  proxy: text,
  phone_id: text,
  phone: text,
  video_id: text,
  video: text,
  pinned: z.array(z.string()),
  cycle: z.enum(RUN_CYCLES),
  result: z.enum(RUN_RESULTS).nullable(),
  error: runErrorSchema.nullable(),
  step: text,
  cancel_requested_at: momentOrNull,
  queued_at: momentOrNull,
  started_at: momentOrNull,
  finished_at: momentOrNull,
})
type Row = z.infer<typeof row>

/** Test runs by the ids of their runs, in that order, as one person sees them. */
export async function viewsOf(ctx: CallContext, tx: Tx, ids: readonly string[]): Promise<TestRun[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.execute(sql`
    select r.id, r.owner_id, t.workflow_id, t.scope, t.hash, r.client_id, k.name as client, t.started_by,
      u.display_name as starter, t.inputs, t.account_id, a.username as account, t.profile_id, p.name as profile,
      t.proxy_id, x.host || ':' || x.port as proxy, t.phone_id, ph.phone_number as phone, t.video_id, v.title as video,
      array(select jsonb_object_keys(t.pins)) as pinned, r.cycle, r.result, r.error, r.step, r.cancel_requested_at,
      r.queued_at, r.started_at, r.finished_at
    from test_run t join run r on r.id = t.run_id join client k on k.id = r.client_id
    left join app_user u on u.id = t.started_by left join account a on a.id = t.account_id
    left join profile p on p.id = t.profile_id left join proxy x on x.id = t.proxy_id
    left join phone ph on ph.id = t.phone_id left join video v on v.id = t.video_id
    where t.run_id = ${anyOf(ids)}`)
  const found = new Map(
    z
      .array(row)
      .parse(rows)
      .map((one) => [one.id, one]),
  )
  return ids.flatMap((id) => {
    const one = found.get(id)
    return one ? [present(one, ctx)] : []
  })
}

const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

function present(one: Row, ctx: CallContext): TestRun {
  const mine = one.started_by === ctx.user.id
  const mayCancel = mine || ctx.can('RUN', 'CAMPAIGN', { id: null, ownerId: one.owner_id })
  const live = one.cycle !== 'finished' && one.cancel_requested_at === null
  return {
    id: one.id,
    workflowId: one.workflow_id,
    scope: one.scope,
    documentHash: one.hash,
    clientId: one.client_id,
    clientName: one.client,
    startedById: one.started_by,
    startedByName: one.starter ?? '',
    mine,
    inputs: one.inputs,
    account: named(one.account_id, one.account),
    profile: named(one.profile_id, one.profile),
    proxy: named(one.proxy_id, one.proxy),
    phone: named(one.phone_id, one.phone),
    video: named(one.video_id, one.video),
    pinned: one.pinned,
    cycle: one.cycle,
    result: one.result,
    error: one.error,
    step: one.step,
    cancelRequestedAt: one.cancel_requested_at,
    queuedAt: one.queued_at ?? '',
    startedAt: one.started_at,
    finishedAt: one.finished_at,
    can: live && mayCancel ? ['cancel'] : [],
  }
}
