import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { workflows } from '@weft/contract/workflows/api'
import type { WireDocument, workflowSchema } from '@weft/contract/workflows/schema'
import { emptyDocument, type WorkflowDocument } from '@weft/workflow/document'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord, madeBy, newId, trashRecords, updateRecord } from '../../kit/record.ts'
import { checkLinks } from '../../kit/resource/change.ts'
import { linkTo } from '../../kit/resource/definition.ts'
import { switchedOff } from '../activities/switched-off.ts'
import { knownNames } from '../projects/names.ts'
import { requirePlace } from '../projects/open.ts'
import { project } from '../projects/table.ts'
import { loadCalled } from './calls.ts'
import { draftColumns, hashOf, problemsOf, readDocument, writeDocument } from './document.ts'
import { listingOf } from './listing.ts'
import { isUsed, presentRow, requireActivityRight, selectWorkflows, workflowSource } from './record.ts'
import { presentRelease, publishDraft, selectReleases } from './releases.ts'
import { workflow, workflowRelease, type WorkflowRecord } from './table.ts'

const links = { links: [linkTo('projectId', { table: project, subject: 'PROJECT' })] }

/** Workflows: drafts that are edited, releases that are run. */
export const workflowHandlers: Implementation<typeof workflows> = {
  list: (ctx, input) =>
    listOf(ctx.tx, input, {
      rows: selectWorkflows,
      table: workflow,
      id: workflow.id,
      where: [
        ctx.scope('VIEW', 'WORKFLOW', workflowSource.columns),
        isNull(workflow.deletedAt),
        eq(workflow.kind, 'workflow'),
        input.projectId
          ? eq(workflow.projectId, input.projectId)
          : sql`not exists (select 1 from project p where p.id = ${workflow.projectId} and p.status = 'archived')`,
        publishedFilter(input.published),
      ],
      search: [workflow.search],
      sort: {
        name: workflow.name,
        publishedRelease: workflow.publishedRelease,
        createdAt: workflow.createdAt,
        updatedAt: workflow.updatedAt,
      },
      defaultSort: { by: 'updatedAt', desc: true },
      present: (rows) => rows.map((row) => presentRow(row, ctx)),
    }),

  async get(ctx, { id }) {
    const row = await findRecord(ctx, workflowSource, id)
    return presentWhole(ctx, id, row.draft)
  },

  async create(ctx, { draft: wire, ...plain }) {
    await checkLinks(ctx, links, plain)
    await requirePlace(ctx, plain.projectId, 'WORKFLOW')
    const draft = wire ? readDocument(wire) : await firstDraft(ctx, plain.projectId)
    const row = { id: newId(), ...madeBy(ctx), ...plain, ...draftColumns(draft) }
    if (!ctx.can('CREATE', 'WORKFLOW', row)) throw new AppError('access.denied')
    await ctx.tx.insert(workflow).values(row)
    ctx.audit({ feature: 'workflows', recordId: row.id, after: { ...plain, ...summary(draft) } })
    ctx.event({ feature: 'workflows', id: row.id, kind: 'created', ownerId: ctx.user.id })
    return presentWhole(ctx, row.id, draft)
  },

  async update(ctx, { id, version, draft: wire, ...plain }) {
    const before = await findRecord(ctx, workflowSource, id, 'UPDATE', { lock: true })
    requireActivityRight(ctx, before)
    if (before.version !== version)
      throw new AppError('record.stale', {}, { current: await presentWhole(ctx, id, before.draft) })
    const draft = wire ? readDocument(wire) : undefined
    await checkLinks(ctx, links, plain)
    if (plain.projectId !== undefined && plain.projectId !== before.projectId)
      await requireMove(ctx, before, plain.projectId)
    const changes = { ...plain, ...(draft ? draftColumns(draft) : {}) }
    const after = await updateRecord(ctx.tx, workflow, { id, version }, changes, () => null)
    const fields = Object.keys(plain) as (keyof typeof plain)[]
    const pick = (row: typeof before) => Object.fromEntries(fields.map((field) => [field, row[field]]))
    ctx.audit({
      feature: 'workflows',
      recordId: id,
      before: { ...pick(before), ...(draft ? summary(before.draft) : {}) },
      after: { ...pick(after), ...(draft ? summary(draft) : {}) },
    })
    ctx.event({ feature: 'workflows', id, kind: 'updated', ownerId: after.ownerId })
    return presentWhole(ctx, id, after.draft)
  },

  async remove(ctx, { id }) {
    const row = await findRecord(ctx, workflowSource, id, 'DELETE', { lock: true })
    requireActivityRight(ctx, row)
    const [found] = await ctx.tx
      .select({ used: sql<boolean>`${isUsed}` })
      .from(workflow)
      .where(eq(workflow.id, id))
    if (found?.used) throw new AppError('record.in_use')
    await trashRecords(ctx.tx, workflow, eq(workflow.id, id))
    ctx.audit({ feature: 'workflows', recordId: id, before: { deleted: false }, after: { deleted: true } })
    ctx.event({ feature: 'workflows', id, kind: 'deleted', ownerId: row.ownerId })
    if (row.kind === 'activity') ctx.event({ feature: 'activities', id, kind: 'deleted' })
  },

  async publish(ctx, { id, version, changelog }) {
    const row = await findRecord(ctx, workflowSource, id, 'PUBLISH', { lock: true })
    requireActivityRight(ctx, row)
    if (row.version !== version)
      throw new AppError('record.stale', {}, { current: await presentWhole(ctx, id, row.draft) })
    return publishDraft(ctx, row, changelog)
  },

  sellOnMarket: (ctx, { id }) => listingOf(ctx, id),

  async validate(ctx, { draft: wire }) {
    const draft = readDocument(wire)
    return problemsOf(draft, {
      switchedOff: await switchedOff(ctx.tx),
      findWorkflow: await loadCalled(ctx, draft),
    })
  },

  async releases(ctx, { id, ...input }) {
    await findRecord(ctx, workflowSource, id)
    return listOf(ctx.tx, input, {
      rows: selectReleases,
      table: workflowRelease,
      id: workflowRelease.id,
      where: [eq(workflowRelease.workflowId, id)],
      search: [workflowRelease.changelog],
      sort: { number: workflowRelease.number },
      defaultSort: { by: 'number', desc: true },
      present: (rows) => rows.map(presentRelease),
    })
  },

  async release(ctx, { id, number }) {
    await findRecord(ctx, workflowSource, id)
    const which = and(eq(workflowRelease.workflowId, id), eq(workflowRelease.number, number))
    const [row] = await selectReleases(ctx.tx).where(which)
    const [content] = await ctx.tx
      .select({ document: workflowRelease.document })
      .from(workflowRelease)
      .where(which)
    if (!row || !content) throw new AppError('workflow.no_release')
    return { ...presentRelease(row), document: writeDocument(content.document) }
  },
}

function publishedFilter(published: boolean | undefined) {
  if (published === undefined) return undefined
  return published ? isNotNull(workflow.publishedRelease) : isNull(workflow.publishedRelease)
}

/** Taking a workflow out of a project is as deleting it there, and putting it into another as making it there. */
export async function requireMove(
  ctx: CallContext,
  row: WorkflowRecord,
  projectId: string | null,
): Promise<void> {
  if (!ctx.can('DELETE', 'WORKFLOW', row) || !ctx.can('UPDATE', 'WORKFLOW', { ...row, projectId }))
    throw new AppError('access.denied')
  await requirePlace(ctx, projectId, 'WORKFLOW')
}

/** An empty document with the settings that the project gives to its workflows. */
async function firstDraft(ctx: CallContext, projectId: string | null): Promise<WorkflowDocument> {
  const empty = emptyDocument()
  if (projectId === null) return empty
  const [row] = await ctx.tx
    .select({ defaults: project.defaults })
    .from(project)
    .where(eq(project.id, projectId))
  const { timeLimitSeconds, maxAttempts, traceOn } = row?.defaults ?? {}
  return {
    ...empty,
    settings: {
      timeLimitSeconds: timeLimitSeconds ?? empty.settings.timeLimitSeconds,
      maxAttempts: maxAttempts ?? empty.settings.maxAttempts,
      traceOn: traceOn ?? empty.settings.traceOn,
    },
  }
}

/** What the audit log keeps of a document: enough to see that it changed, and not half a megabyte each time. */
function summary(draft: WorkflowDocument) {
  return { draft: { sha256: hashOf(draft), activities: draft.activities.length } }
}

async function presentWhole(
  ctx: CallContext,
  id: string,
  draft: WorkflowDocument,
): Promise<z.input<typeof workflowSchema>> {
  const [row] = await selectWorkflows(ctx.tx).where(eq(workflow.id, id))
  if (!row) throw new AppError('record.not_found')
  const findWorkflow = await loadCalled(ctx, draft)
  return {
    ...presentRow(row, ctx),
    draft: writeDocument(draft) satisfies WireDocument,
    problems: problemsOf(draft, {
      findWorkflow,
      switchedOff: await switchedOff(ctx.tx),
      workflowId: id,
      project: await knownNames(ctx.tx, row.row.projectId),
    }),
  }
}
