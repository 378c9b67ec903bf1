import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { workflows } from '@weft/contract/workflows/api'
import type { WireDocument, workflowSchema } from '@weft/contract/workflows/schema'
import { emptyDocument, type WorkflowDocument } from '@weft/workflow/document'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord, madeBy, newId, updateRecord } from '../../kit/record.ts'
import { checkLinks } from '../../kit/resource/change.ts'
import { inTrash, withTags } from '../../kit/resource/view.ts'
import { copyTests } from '../workflow-tests/carry.ts'
import { appUser } from '../access/table.ts'
import { switchedOff } from '../activities/switched-off.ts'
import { knownNames } from '../projects/names.ts'
import { requirePlace } from '../projects/open.ts'
import { project } from '../projects/table.ts'
import { loadCalled } from './calls.ts'
import { followRenamed } from './comments/renamed.ts'
import { draftColumns, hashOf, problemsOf, readDocument, writeDocument } from './document.ts'
import { exportWorkflow, importWorkflow } from './file.ts'
import { foldersOf, within } from './folders.ts'
import { listingOf } from './listing.ts'
import { presentRow, requireActivityRight, selectWorkflows, workflowLinks, workflowSource } from './record.ts'
import { requireMove } from './move.ts'
import { presentRelease, publishDraft, selectReleases } from './releases.ts'
import { workflow, workflowRelease } from './table.ts'
import { takeBack, throwAway } from './thrown.ts'
import { usesOfWorkflow } from './uses.ts'
import { withdrawRelease } from './withdraw.ts'

/** Workflows: drafts that are edited, releases that are run. */
export const workflowHandlers: Implementation<typeof workflows> = {
  list: (ctx, input) =>
    listOf(ctx.tx, input, {
      rows: selectWorkflows,
      table: workflow,
      id: workflow.id,
      where: [
        ctx.scope('VIEW', 'WORKFLOW', workflowSource.columns),
        inTrash(workflow.deletedAt, input.trashed),
        withTags(workflow.tags, input.tags),
        input.folder?.length ? or(...input.folder.map(within)) : undefined,
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

  async create(ctx, { draft: wire, copyOf, ...plain }) {
    if (copyOf !== undefined) await findRecord(ctx, workflowSource, copyOf)
    await checkLinks(ctx, workflowLinks, plain)
    await requirePlace(ctx, plain.projectId, 'WORKFLOW')
    const draft = wire ? readDocument(wire) : await firstDraft(ctx, plain.projectId)
    const row = { id: newId(), ...madeBy(ctx), ...plain, ...draftColumns(draft, ctx) }
    if (!ctx.can('CREATE', 'WORKFLOW', row)) throw new AppError('access.denied')
    await ctx.tx.insert(workflow).values(row)
    if (copyOf !== undefined) await copyTests(ctx, copyOf, row)
    ctx.audit({ feature: 'workflows', recordId: row.id, after: { ...plain, ...summary(draft) } })
    ctx.event({ feature: 'workflows', id: row.id, kind: 'created', ownerId: ctx.user.id })
    return presentWhole(ctx, row.id, draft)
  },

  async update(ctx, { id, version, draft: wire, ...plain }) {
    const before = await findRecord(ctx, workflowSource, id, 'UPDATE', { lock: true })
    requireActivityRight(ctx, before)
    if (before.version !== version)
      throw new AppError('record.stale', {}, { current: await presentWhole(ctx, id, before.draft) })
    const { testsMustPass = before.testsMustPass } = plain
    // Who decides what is published decides what it needs.
    if (testsMustPass !== before.testsMustPass && !ctx.can('PUBLISH', 'WORKFLOW', before))
      throw new AppError('access.denied')
    const draft = wire ? readDocument(wire) : undefined
    await checkLinks(ctx, workflowLinks, plain)
    if (plain.projectId !== undefined && plain.projectId !== before.projectId)
      await requireMove(ctx, before, plain.projectId)
    const changes = { ...plain, ...(draft ? draftColumns(draft, ctx) : {}) }
    const after = await updateRecord(ctx.tx, workflow, { id, version }, changes, () => null)
    if (draft) await followRenamed(ctx.tx, id, before.draft, draft)
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
    const row = await throwAway(ctx, workflowSource, id)
    requireActivityRight(ctx, row)
    ctx.audit({ feature: 'workflows', recordId: id, before: { deleted: false }, after: { deleted: true } })
    ctx.event({ feature: 'workflows', id, kind: 'deleted', ownerId: row.ownerId })
    if (row.kind === 'activity') ctx.event({ feature: 'activities', id, kind: 'deleted' })
  },

  async restore(ctx, { id }) {
    const row = await takeBack(ctx, workflowSource, id)
    requireActivityRight(ctx, row)
    ctx.audit({ feature: 'workflows', recordId: id, before: { deleted: true }, after: { deleted: false } })
    ctx.event({ feature: 'workflows', id, kind: 'created', ownerId: row.ownerId })
    if (row.kind === 'activity') ctx.event({ feature: 'activities', id, kind: 'created' })
    const [found] = await selectWorkflows(ctx.tx).where(eq(workflow.id, id))
    if (!found) throw new AppError('record.not_found')
    return presentRow(found, ctx)
  },

  folders: (ctx) => foldersOf(ctx),

  async publish(ctx, { id, version, changelog, testsMustPass }) {
    const row = await findRecord(ctx, workflowSource, id, 'PUBLISH', { lock: true })
    requireActivityRight(ctx, row)
    if (row.version !== version)
      throw new AppError('record.stale', {}, { current: await presentWhole(ctx, id, row.draft) })
    return publishDraft(ctx, row, { changelog, testsMustPass })
  },

  async withdraw(ctx, { id, ...which }) {
    const row = await findRecord(ctx, workflowSource, id, 'PUBLISH', { lock: true })
    requireActivityRight(ctx, row)
    return withdrawRelease(ctx, row, which)
  },

  async whereUsed(ctx, { id }) {
    await findRecord(ctx, workflowSource, id)
    return usesOfWorkflow(ctx, id)
  },

  export: exportWorkflow,
  import: importWorkflow,

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

async function authorOf(ctx: CallContext, userId: string | null) {
  if (userId === null) return null
  const [person] = await ctx.tx
    .select({ id: appUser.id, displayName: appUser.displayName })
    .from(appUser)
    .where(eq(appUser.id, userId))
  return person ?? null
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
    draftBy: await authorOf(ctx, row.row.draftBy),
    problems: problemsOf(draft, {
      findWorkflow,
      switchedOff: await switchedOff(ctx.tx),
      workflowId: id,
      project: await knownNames(ctx.tx, row.row.projectId),
    }),
  }
}
