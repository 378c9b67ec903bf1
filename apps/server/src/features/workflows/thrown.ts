import { and, eq, sql } from 'drizzle-orm'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { findRecord, restoreRecords, trashRecords, type RecordSource } from '../../kit/record.ts'
import { leaveTrashedProject } from '../projects/open.ts'
import { isUsed } from './record.ts'
import { workflow, type WorkflowRecord } from './table.ts'

/** Workflows or activities, as the rules of one or the other see them. */
type Source = RecordSource<typeof workflow>

/** Puts a workflow or a custom activity into the trash, unless something holds it. */
export async function throwAway(ctx: CallContext, source: Source, id: string): Promise<WorkflowRecord> {
  const row = await findRecord(ctx, source, id, 'DELETE', { lock: true })
  const [found] = await ctx.tx
    .select({ used: sql<boolean>`${isUsed}` })
    .from(workflow)
    .where(eq(workflow.id, id))
  if (found?.used) throw new AppError('record.in_use')
  await trashRecords(ctx.tx, workflow, eq(workflow.id, id))
  return row
}

/** Takes one out of the trash: back into its project while that may be changed, or into none where it is gone. */
export async function takeBack(
  ctx: CallContext,
  source: Source,
  id: string,
  kind?: WorkflowRecord['kind'],
): Promise<WorkflowRecord> {
  const row = await findRecord(ctx, source, id, 'DELETE', { trashed: true, lock: true })
  await leaveTrashedProject(ctx.tx, workflow, id)
  const which = sql`${and(eq(workflow.id, id), kind && eq(workflow.kind, kind))}`
  const [restored] = await restoreRecords(ctx.tx, workflow, which)
  if (restored === undefined) throw new AppError('record.not_found')
  return row
}
