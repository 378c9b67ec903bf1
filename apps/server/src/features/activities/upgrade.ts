import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { activities } from '@weft/contract/activities/api'
import type { activityUserSchema } from '@weft/contract/activities/schema'
import { callOf } from '@weft/workflow/calls'
import { resultsOf } from '@weft/workflow/catalogue/custom'
import type { WorkflowDocument } from '@weft/workflow/document'
import { missingOf } from '@weft/workflow/validate/calls'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, updateRecord } from '../../kit/record.ts'
import { draftColumns } from '../workflows/document.ts'
import { requireActivityRight, workflowSource } from '../workflows/record.ts'
import { workflow, workflowRelease } from '../workflows/table.ts'
import { parametersOf } from './custom.ts'
import { oneActivity } from './rows.ts'
import { releaseStep } from './table.ts'

type User = z.input<typeof activityUserSchema>
type Versions = ReadonlyMap<number, WorkflowDocument>

/** The workflows that the person may see and that hold a custom activity, with what its newest version would change. */
export async function usersOf(ctx: CallContext, id: string): Promise<User[]> {
  const activity = await oneActivity(ctx.tx, ctx, id)
  if (activity.builtIn) throw new AppError('activity.built_in')
  const versions = await versionsOf(ctx, id)
  const released = await ctx.tx
    .selectDistinct({ workflowId: releaseStep.workflowId, number: releaseStep.calledRelease })
    .from(releaseStep)
    .where(eq(releaseStep.activity, id))
  const holds = sql`${workflow.draft} @> jsonb_build_object('activities', jsonb_build_array(jsonb_build_object(
    'type', 'custom-activity', 'state', jsonb_build_object('activityId', ${id}::text))))`
  const ids = [...new Set(released.map(({ workflowId }) => workflowId))]
  const rows = await ctx.tx
    .select()
    .from(workflow)
    .where(
      and(
        isNull(workflow.deletedAt),
        ne(workflow.id, id),
        ctx.scope('VIEW', 'WORKFLOW', workflowSource.columns),
        or(holds, ids.length > 0 ? inArray(workflow.id, ids) : undefined),
      ),
    )
    .orderBy(workflow.name, workflow.id)
  return rows.map((row) => ({
    workflowId: row.id,
    name: row.name,
    version: row.version,
    released: released
      .flatMap(({ workflowId, number }) => (workflowId === row.id && number !== null ? [number] : []))
      .toSorted((a, b) => a - b),
    steps: stepsOf(row.draft, id, versions, activity.activityVersion),
    can: ctx.can('UPDATE', 'WORKFLOW', row) ? ['update'] : [],
  }))
}

/** Has drafts take the newest version, all of them or none. */
export const upgradeUsers: Implementation<typeof activities>['upgrade'] = async (
  ctx,
  { id, to, workflows },
) => {
  const activity = await oneActivity(ctx.tx, ctx, id)
  if (activity.builtIn) throw new AppError('activity.built_in')
  if (activity.activityVersion !== to) throw new AppError('activity.newer_version')
  const versions = await versionsOf(ctx, id)
  // In one order, so that two who upgrade at once do not wait for each other.
  for (const { id: workflowId, version } of workflows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const row = await findRecord(ctx, workflowSource, workflowId, 'UPDATE', { lock: true })
    requireActivityRight(ctx, row)
    if (row.version !== version) throw new AppError('record.stale', { name: row.name })
    const steps = stepsOf(row.draft, id, versions, to)
    const blocked = steps.find(({ inUse }) => inUse.length > 0)
    if (blocked) {
      const [name = ''] = blocked.inUse
      const step = blocked.name ?? blocked.stepId
      throw new AppError('activity.parameter_in_use', { name, workflow: row.name, step })
    }
    const behind = new Set(steps.filter(({ from }) => from !== to).map(({ stepId }) => stepId))
    if (behind.size === 0) continue
    const draft = {
      ...row.draft,
      activities: row.draft.activities.map((step) =>
        behind.has(step.id) ? { ...step, state: { ...step.state, version: to } } : step,
      ),
    }
    const after = await updateRecord(
      ctx.tx,
      workflow,
      { id: workflowId, version },
      draftColumns(draft, ctx),
      () => null,
    )
    ctx.audit({
      feature: 'workflows',
      recordId: workflowId,
      before: { activity: id, steps: steps.map(({ stepId, from }) => ({ stepId, version: from })) },
      after: { activity: id, steps: steps.map(({ stepId }) => ({ stepId, version: to })) },
    })
    ctx.event({ feature: 'workflows', id: workflowId, kind: 'updated', ownerId: after.ownerId })
  }
  return usersOf(ctx, id)
}

async function versionsOf(ctx: CallContext, id: string): Promise<Versions> {
  const rows = await ctx.tx
    .select({ number: workflowRelease.number, document: workflowRelease.document })
    .from(workflowRelease)
    .where(eq(workflowRelease.workflowId, id))
  return new Map(rows.map(({ number, document }) => [number, document]))
}

/** The steps of a draft that are of an activity, with the difference between their version and another. */
function stepsOf(
  draft: WorkflowDocument,
  activityId: string,
  versions: Versions,
  to: number | null,
): User['steps'] {
  return draft.activities.flatMap((step) => {
    const call = callOf(step)
    if (call?.kind !== 'activity' || call.id !== activityId || call.number === null) return []
    const before = versions.get(call.number)
    const after = to === null ? undefined : versions.get(to)
    const had = before ? parametersOf(before) : []
    const has = after ? parametersOf(after) : had
    const removed = had.filter(({ name }) => !has.some((one) => one.name === name)).map(({ name }) => name)
    const results =
      after && before ? resultsOf(before).filter((name) => !resultsOf(after).includes(name)) : []
    return [
      {
        stepId: step.id,
        name: step.name ?? null,
        from: call.number,
        added: has.filter(({ name }) => !had.some((one) => one.name === name)),
        removed,
        missing: missingOf(has, call.given),
        inUse: [
          ...removed.filter((name) => call.given.includes(name)),
          ...results.filter((name) => isRead(draft, step.id, name)),
        ],
      },
    ]
  })
}

/** Whether any step reads a result by its name. */
function isRead({ activities }: WorkflowDocument, stepId: string, name: string): boolean {
  const read = `steps.${stepId}.outputs.${name}`
  return activities.some(({ state }) => {
    const text = JSON.stringify(state)
    const at = text.indexOf(read)
    return at >= 0 && !/\w/.test(text.charAt(at + read.length))
  })
}
