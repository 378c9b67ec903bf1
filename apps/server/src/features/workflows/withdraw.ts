import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { releaseSchema } from '@weft/contract/workflows/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { campaign } from '../campaigns/table.ts'
import { campaignIsOver } from './record.ts'
import { presentRelease, selectReleases } from './releases.ts'
import { workflow, workflowRelease, type WorkflowRecord } from './table.ts'

/** How many campaigns and workflows are named where a release is needed. */
const NAMED = 5

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
  if (withdrawn && release.needed) throw await neededBy(ctx, row, number)
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

const OF_RELEASE = sql`${workflowRelease.number}`

/** A campaign `c` that is pinned to the release and not over. */
const pinned = ({ id }: WorkflowRecord, release: SQL) => sql`c.workflow_id = ${id} and c.release = ${release}
  and c.deleted_at is null and not ${campaignIsOver}`

/**
 * A release of another workflow `w`, its newest or one that such a campaign runs, which calls it by its number, or, of the
 * only one that is offered, whichever is the newest.
 */
const calls = (
  { id }: WorkflowRecord,
  release: SQL,
) => sql`exists (select 1 from release_step s where s.workflow_id = w.id
  and w.deleted_at is null and w.id <> ${id} and s.called = ${id}
  and (s.release = w.published_release or exists (select 1 from campaign c where c.workflow_id = w.id
    and c.release = s.release and c.deleted_at is null and not ${campaignIsOver}))
  and (s.called_release = ${release} or (s.called_release is null and not exists (select 1 from workflow_release other
    where other.workflow_id = ${id} and other.number <> ${release} and other.withdrawn_at is null))))`

/** Whether something would not go on without the release. */
const isNeeded = (
  row: WorkflowRecord,
) => sql`(exists (select 1 from campaign c where ${pinned(row, OF_RELEASE)})
  or exists (select 1 from release_step called join workflow w on w.id = called.workflow_id
    where called.called = ${row.id} and ${calls(row, OF_RELEASE)}))`

/** The refusal to withdraw it, with the names of what needs it as far as the person may see that. */
async function neededBy(ctx: CallContext, row: WorkflowRecord, release: number): Promise<AppError> {
  const which = sql`${release}::int`
  const campaigns = await ctx.tx
    .select({ name: campaign.title })
    .from(campaign)
    .where(
      and(
        sql`${campaign.id} in (select c.id from campaign c where ${pinned(row, which)})`,
        ctx.scope('VIEW', 'CAMPAIGN', scopeColumns(campaign)),
      ),
    )
    .orderBy(campaign.createdAt)
    .limit(NAMED)
  const workflows = await ctx.tx
    .select({ name: workflow.name })
    .from(workflow)
    .where(
      and(
        sql`${workflow.id} in (select w.id from release_step called join workflow w on w.id = called.workflow_id
          where called.called = ${row.id} and ${calls(row, which)})`,
        ctx.scope('VIEW', 'WORKFLOW', scopeColumns(workflow)),
      ),
    )
    .orderBy(workflow.createdAt)
    .limit(NAMED)
  const names = [...campaigns, ...workflows].map(({ name }) => name).join(', ')
  return names === '' ? new AppError('record.in_use') : new AppError('workflow.release_needed', { names })
}
