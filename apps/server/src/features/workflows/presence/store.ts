import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../kit/context.ts'
import { anyOf, recordset } from '../../../kit/recordset.ts'

/** The channel on which every process hears whose people changed: the payload is a workflow's id. */
export const PRESENCE_CHANNEL = 'weft_presence'
/** A page that its process has not touched for so long is gone: the process was killed, or is cut off. */
export const PRESENCE_SECONDS = 30

/** A page that shows a workflow. */
export interface Whereabouts {
  connectionId: string
  workflowId: string
  userId: string
  stepId: string | null
}

/** Writes down where pages are, forgets those that left, and tells all processes of these workflows; all at once. */
export async function noteWhereabouts(
  tx: Tx,
  change: { put: readonly Whereabouts[]; gone: readonly string[]; workflowIds: readonly string[] },
): Promise<void> {
  const { put, gone, workflowIds } = change
  if (gone.length > 0)
    await tx.execute(
      sql`delete from workflow_presence where connection_id = any(${sql.param([...gone])}::text[])`,
    )
  const told = sql`select pg_notify(${PRESENCE_CHANNEL}, id::text) from unnest(${sql.param([...workflowIds])}::uuid[]) as told (id)`
  if (put.length === 0) {
    await tx.execute(told)
    return
  }
  await tx.execute(sql`
    with put as (
      insert into workflow_presence as p (connection_id, workflow_id, user_id, step_id)
      select "connectionId", "workflowId", "userId", "stepId"
      from ${recordset({ connectionId: 'text', workflowId: 'uuid', userId: 'uuid', stepId: 'text' }, put)}
      on conflict (connection_id) do update set workflow_id = excluded.workflow_id, step_id = excluded.step_id, seen_at = now(),
        since = case when p.workflow_id = excluded.workflow_id then p.since else now() end
    )
    ${told}`)
}

/** Forgets what no process touches any more. */
export async function clearWhereabouts(tx: Tx): Promise<void> {
  await tx.execute(
    sql`delete from workflow_presence where seen_at < now() - make_interval(secs => ${2 * PRESENCE_SECONDS}::int)`,
  )
}

const whereaboutsRow = z.object({
  workflowId: z.string(),
  userId: z.string(),
  displayName: z.string(),
  stepId: z.string().nullable(),
})
export type SeenWhereabouts = z.infer<typeof whereaboutsRow>

/** The pages that show these workflows, whoever came first first. */
export async function readWhereabouts(tx: Tx, workflowIds: readonly string[]): Promise<SeenWhereabouts[]> {
  const { rows } = await tx.execute(sql`
    select p.workflow_id as "workflowId", p.user_id as "userId", u.display_name as "displayName", p.step_id as "stepId"
    from workflow_presence p join app_user u on u.id = p.user_id and u.status = 'active' and u.deleted_at is null
    where p.workflow_id = ${anyOf(workflowIds)} and p.seen_at > now() - make_interval(secs => ${PRESENCE_SECONDS}::int)
    order by p.since, p.connection_id`)
  return rows.map((row) => whereaboutsRow.parse(row))
}
