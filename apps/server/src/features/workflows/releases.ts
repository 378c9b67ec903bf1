import { and, eq, max, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { releaseSchema } from '@weft/contract/workflows/schema'
import { capabilitiesOf } from '@weft/workflow/capabilities'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { iso, newId } from '../../kit/record.ts'
import { switchedOff } from '../activities/switched-off.ts'
import { knownNames } from '../projects/names.ts'
import { testsOnPublish } from '../workflow-tests/on-publish.ts'
import { problemsOf } from './document.ts'
import { loadCalled } from './calls.ts'
import { holdCalled } from './offered.ts'
import { workflow, workflowRelease, type WorkflowRecord } from './table.ts'

const inputList = z.array(z.looseObject({ name: z.string() }))

/** Whether a campaign is pinned to the release. */
const inUse = sql<boolean>`exists (select 1 from campaign c where c.workflow_id = ${workflowRelease.workflowId}
  and c.release = ${workflowRelease.number} and c.deleted_at is null)`
const author = sql<
  string | null
>`(select u.display_name from app_user u where u.id = ${workflowRelease.createdBy})`

/** Selects releases without their documents. */
export function selectReleases(tx: Tx) {
  return tx
    .select({
      id: workflowRelease.id,
      workflowId: workflowRelease.workflowId,
      number: workflowRelease.number,
      changelog: workflowRelease.changelog,
      contentHash: workflowRelease.hash,
      createdAt: workflowRelease.createdAt,
      createdByName: sql<string | null>`${author}`,
      inUse: sql<boolean>`${inUse}`,
      tests: workflowRelease.tests,
      withdrawnAt: workflowRelease.withdrawnAt,
      inputs: sql<unknown>`${sql`${workflowRelease.document} -> 'inputs'`}`,
    })
    .from(workflowRelease)
    .$dynamic()
}

type Selected = Awaited<ReturnType<typeof selectReleases>>[number]

/** A release as the contract shows it. */
export function presentRelease(row: Selected): z.input<typeof releaseSchema> {
  return {
    ...row,
    createdAt: iso(row.createdAt),
    withdrawnAt: iso(row.withdrawnAt),
    inputs: inputList.parse(row.inputs),
  }
}

/**
 * Makes the next release of a draft that has no mistakes and differs from the last one; where the workflow or the caller asks
 * for it, only if every test has passed on exactly this draft.
 */
export async function publishDraft(
  ctx: CallContext,
  row: WorkflowRecord,
  { changelog, testsMustPass }: { changelog: string; testsMustPass: boolean },
): Promise<z.input<typeof releaseSchema>> {
  const { id, draft, draftHash: hash } = row
  await holdCalled(ctx.tx, draft)
  const findWorkflow = await loadCalled(ctx, draft)
  const project = await knownNames(ctx.tx, row.projectId)
  const known = { findWorkflow, workflowId: id, project, switchedOff: await switchedOff(ctx.tx) }
  const errors = problemsOf(draft, known).filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    throw new AppError(
      'workflow.invalid',
      {},
      {
        errors: errors.map(({ path, code, params }) => ({ path, code, message: code, params })),
      },
    )
  if (hash === row.publishedHash) throw new AppError('workflow.nothing_to_publish')
  const tests = await testsOnPublish(ctx.tx, id, hash, testsMustPass || row.testsMustPass)
  const [last] = await ctx.tx
    .select({ number: max(workflowRelease.number) })
    .from(workflowRelease)
    .where(eq(workflowRelease.workflowId, id))
  const number = (last?.number ?? 0) + 1
  await ctx.tx.insert(workflowRelease).values({
    id: newId(),
    workflowId: id,
    number,
    document: draft,
    hash,
    changelog,
    tests,
    capabilities: capabilitiesOf(draft),
    createdBy: ctx.user.id,
  })
  // The draft is what it was, so whoever edits it now is not told that their version is stale.
  await ctx.tx
    .update(workflow)
    .set({ publishedRelease: number, publishedHash: hash })
    .where(eq(workflow.id, id))
  const [release] = await selectReleases(ctx.tx).where(
    and(eq(workflowRelease.workflowId, id), eq(workflowRelease.number, number)),
  )
  if (!release) throw new Error('the release that was just made is not there')
  ctx.audit({
    feature: 'workflows',
    recordId: id,
    after: {
      release: number,
      changelog,
      hash,
      ...(tests ? { tests: tests.passed, notPassed: tests.others.length } : {}),
    },
  })
  ctx.event({ feature: 'workflows', id, kind: 'updated', ownerId: row.ownerId })
  if (row.kind === 'activity') ctx.event({ feature: 'activities', id, kind: 'updated' })
  return presentRelease(release)
}
