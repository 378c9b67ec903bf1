import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { LastValues } from '@weft/contract/test-runs/schema'
import type { CallContext, Tx } from '../../kit/context.ts'
import { isShortened, newestOf, valuesOf } from './values.ts'

const EMPTY: LastValues = { runId: null, at: null, inputs: {}, vars: {}, steps: {}, item: {}, shortened: [] }

/** What a person's newest test run of a workflow left, for previews of expressions. */
export async function lastValues(ctx: CallContext, workflowId: string): Promise<LastValues> {
  const row = await newestOf(ctx.tx, workflowId, ctx.user.id)
  if (!row) return EMPTY
  const { vars, steps } = await valuesOf(ctx.tx, row)
  return {
    runId: row.runId,
    at: row.at.toISOString(),
    inputs: row.inputs,
    vars,
    steps,
    item: await itemOf(ctx.tx, row.runId),
    shortened: Object.entries(steps).flatMap(([id, output]) => (isShortened(output) ? [id] : [])),
  }
}

const item = z.object({ item: z.record(z.string(), z.unknown()) })

/** What expressions of the run saw as `item`, as far as it is still there. */
async function itemOf(tx: Tx, runId: string): Promise<Record<string, unknown>> {
  const { rows } = await tx.execute(sql`
    select json_build_object('seq', null,
      'account', case when a.id is not null then json_build_object('id', a.id, 'name', a.username, 'type', a.type,
        'username', a.username, 'displayName', a.display_name, 'email', a.email, 'channelName', a.channel_name) end,
      'profile', case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end,
      'proxy', case when x.id is not null then json_build_object('id', x.id, 'name', x.host || ':' || x.port,
        'protocol', x.protocol, 'host', x.host, 'port', x.port) end,
      'phone', case when ph.id is not null then json_build_object('id', ph.id, 'name', ph.phone_number,
        'phoneNumber', ph.phone_number) end,
      'video', case when v.id is not null then json_build_object('id', v.id, 'name', v.title, 'fileName', f.name,
        'file', json_build_object('ref', 'stored:' || v.file_id, 'name', f.name, 'mediaType', '', 'size', 0)) end) as item
    from test_run t left join account a on a.id = t.account_id and a.deleted_at is null
    left join profile p on p.id = t.profile_id and p.deleted_at is null
    left join proxy x on x.id = t.proxy_id and x.deleted_at is null
    left join phone ph on ph.id = t.phone_id and ph.deleted_at is null
    left join video v on v.id = t.video_id and v.deleted_at is null left join file f on f.id = v.file_id
    where t.run_id = ${runId}`)
  return item.parse(rows[0]).item
}
