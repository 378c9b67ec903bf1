import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { releaseSchema } from '@weft/contract/workflows/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { campaignIsOver } from './record.ts'
import { presentRelease, selectReleases } from './releases.ts'
import { workflow, workflowRelease, type WorkflowRecord } from './table.ts'

/**
 * Withdraws a release, or offers it again. The newest that is offered is the one that campaigns and calls without a number
 * mean. `row` is locked.
 */
export async function withdrawRelease(
  ctx: CallContext,
  row: WorkflowRecord,
  { number, withdrawn }: { number: number; withdrawn: boolean },
): Promise<z.input<typeof releaseSchema>> {
  const { id } = row
  const which = and(eq(workflowRelease.workflowId, id), eq(workflowRelease.number, number))
  const [release] = await ctx.tx
    .select({ withdrawnAt: workflowRelease.withdrawnAt, needed: sql<boolean>`${isNeeded(row)}` })
    .from(workflowRelease)
    .where(which)
  if (!release) throw new AppError('record.not_found')
  if (withdrawn && release.needed) throw new AppError('record.in_use')
  if ((release.withdrawnAt !== null) !== withdrawn) {
    await ctx.tx
      .update(workflowRelease)
      .set({ withdrawnAt: withdrawn ? sql`now()` : null })
      .where(which)
    const [newest] = await ctx.tx
      .select({ number: workflowRelease.number, hash: workflowRelease.hash })
      .from(workflowRelease)
      .where(and(eq(workflowRelease.workflowId, id), isNull(workflowRelease.withdrawnAt)))
      .orderBy(desc(workflowRelease.number))
      .limit(1)
    await ctx.tx
      .update(workflow)
      .set({ publishedRelease: newest?.number ?? null, publishedHash: newest?.hash ?? null })
      .where(eq(workflow.id, id))
    ctx.audit({ feature: 'workflows', recordId: id, before: { release: number }, after: { withdrawn } })
    ctx.event({ feature: 'workflows', id, kind: 'updated', ownerId: row.ownerId })
    if (row.kind === 'activity') ctx.event({ feature: 'activities', id, kind: 'updated' })
  }
  const [after] = await selectReleases(ctx.tx).where(which)
  if (!after) throw new AppError('record.not_found')
  return presentRelease(after)
}

/**
 * Whether something would not go on without the release: a campaign that is pinned to it and not over, or a release of another
 * workflow, its newest or one that such a campaign runs, which calls it by its number, or, of the only one that is offered,
 * whichever is the newest.
 */
function isNeeded({ id }: WorkflowRecord) {
  const number = sql`${workflowRelease.number}`
  return sql`(exists (select 1 from campaign c where c.workflow_id = ${id} and c.release = ${number} and c.deleted_at is null
      and not ${campaignIsOver})
    or exists (select 1 from release_step s join workflow w on w.id = s.workflow_id and w.deleted_at is null
      and (s.release = w.published_release or exists (select 1 from campaign c where c.workflow_id = w.id
        and c.release = s.release and c.deleted_at is null and not ${campaignIsOver})) where s.called = ${id} and w.id <> ${id}
      and (s.called_release = ${number} or (s.called_release is null and not exists (select 1 from workflow_release other
        where other.workflow_id = ${id} and other.number <> ${number} and other.withdrawn_at is null)))))`
}
