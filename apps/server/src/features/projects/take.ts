import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { projectTransfer } from '@weft/contract/projects/transfer-api'
import type { Lack } from '@weft/contract/projects/transfer'
import type { Json } from '@weft/workflow/json'
import type { WorkflowDocument } from '@weft/workflow/document'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, madeBy, newId, updateRecord } from '../../kit/record.ts'
import { scopeColumns, sourceOf } from '../../kit/resource/definition.ts'
import { copyTests } from '../workflow-tests/carry.ts'
import { draftColumns } from '../workflows/document.ts'
import { requireMove } from '../workflows/move.ts'
import { workflowSource } from '../workflows/record.ts'
import { workflow, workflowRelease, type WorkflowRecord } from '../workflows/table.ts'
import { calledAmong, lacksOf } from './lacks.ts'
import { knownNames } from './names.ts'
import { requirePlace } from './open.ts'
import { projectRecord } from './record.ts'

type Own = Pick<Implementation<typeof projectTransfer>, 'lacks' | 'takeWorkflows'>

/** Moving workflows into a project and copying them there, once it is said what they need. */
export function takeHandlers(): Own {
  const source = sourceOf(projectRecord)
  return {
    async lacks(ctx, { id, workflowIds }) {
      await findRecord(ctx, source, id)
      return lackingIn(ctx, id, await visible(ctx, workflowIds))
    },

    async takeWorkflows(ctx, { id, workflowIds, copy, anyway }) {
      await findRecord(ctx, source, id)
      await requirePlace(ctx, id, 'WORKFLOW')
      const rows = await visible(ctx, workflowIds)
      const lacks = await lackingIn(ctx, id, rows)
      if (lacks.length > 0 && !anyway) throw new AppError('project.lacks', {}, { current: lacks })
      const taken = copy ? await copyAll(ctx, id, rows) : await moveAll(ctx, id, rows)
      ctx.audit({
        feature: 'projects',
        recordId: id,
        after: { copy, workflows: rows.map(({ name }) => name) },
      })
      return { workflowIds: taken }
    },
  }
}

/** The workflows of these ids in the given order; one that the caller does not see is as good as none. */
async function visible(ctx: CallContext, ids: readonly string[]): Promise<WorkflowRecord[]> {
  const unique = [...new Set(ids)]
  const rows = await ctx.tx
    .select()
    .from(workflow)
    .where(
      and(
        inArray(workflow.id, unique),
        eq(workflow.kind, 'workflow'),
        isNull(workflow.deletedAt),
        ctx.scope('VIEW', 'WORKFLOW', scopeColumns(workflow)),
      ),
    )
  if (rows.length < unique.length) throw new AppError('record.not_found')
  return unique.flatMap((id) => rows.filter((row) => row.id === id))
}

async function lackingIn(
  ctx: CallContext,
  projectId: string,
  rows: readonly WorkflowRecord[],
): Promise<Lack[]> {
  const releases = await ctx.tx
    .select({ workflowId: workflowRelease.workflowId, document: workflowRelease.document })
    .from(workflowRelease)
    .innerJoin(workflow, eq(workflow.id, workflowRelease.workflowId))
    .where(
      and(
        inArray(
          workflow.id,
          rows.map(({ id }) => id),
        ),
        eq(workflowRelease.number, workflow.publishedRelease),
      ),
    )
  const needing = rows.map(({ id, name, draft }) => ({
    id,
    name,
    documents: [
      draft,
      ...releases.flatMap(({ workflowId, document }) => (workflowId === id ? [document] : [])),
    ],
  }))
  const known = await calledAmong(
    ctx,
    needing.flatMap(({ documents }) => documents),
  )
  return lacksOf(needing, await knownNames(ctx.tx, projectId), known)
}

async function moveAll(
  ctx: CallContext,
  projectId: string,
  rows: readonly WorkflowRecord[],
): Promise<string[]> {
  const moved: string[] = []
  for (const { id } of rows) {
    const before = await findRecord(ctx, workflowSource, id, 'UPDATE', { lock: true })
    moved.push(id)
    if (before.projectId === projectId) continue
    await requireMove(ctx, before, projectId)
    await updateRecord(ctx.tx, workflow, before, { projectId }, () => null)
    ctx.audit({
      feature: 'workflows',
      recordId: id,
      label: 'workflow.update',
      before: { projectId: before.projectId },
      after: { projectId },
    })
    ctx.event({ feature: 'workflows', id, kind: 'updated', ownerId: before.ownerId })
  }
  return moved
}

async function copyAll(
  ctx: CallContext,
  projectId: string,
  rows: readonly WorkflowRecord[],
): Promise<string[]> {
  const ids = new Map(rows.map(({ id }) => [id, newId()]))
  for (const { id, name, description, icon, folder, tags, notes, draft } of rows) {
    const copyId = ids.get(id) ?? newId()
    const row = {
      id: copyId,
      ...madeBy(ctx),
      projectId,
      name,
      description,
      icon,
      folder,
      tags,
      notes,
      ...draftColumns(callingNew(draft, ids), ctx),
    }
    if (!ctx.can('CREATE', 'WORKFLOW', row)) throw new AppError('access.denied')
    await ctx.tx.insert(workflow).values(row)
    await copyTests(ctx, id, row)
    ctx.audit({
      feature: 'workflows',
      recordId: copyId,
      label: 'workflow.create',
      after: { name, copyOf: id },
    })
    ctx.event({ feature: 'workflows', id: copyId, kind: 'created', ownerId: ctx.user.id })
  }
  return [...ids.values()]
}

/** A document whose calls lead to the new ones of workflows that come along. */
export function callingNew(document: WorkflowDocument, ids: ReadonlyMap<string, string>): WorkflowDocument {
  return {
    ...document,
    activities: document.activities.map((activity) => {
      const { workflowId } = activity.state
      const next = typeof workflowId === 'string' ? ids.get(workflowId) : undefined
      if (activity.type !== 'call-workflow' || next === undefined) return activity
      return { ...activity, state: { ...activity.state, workflowId: next satisfies Json } }
    }),
  }
}
