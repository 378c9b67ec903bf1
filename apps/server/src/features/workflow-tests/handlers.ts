import { and, count, eq, ne, sql } from 'drizzle-orm'
import { canonicalJson } from '@weft/contract/core/canonical'
import type { workflowTests } from '@weft/contract/workflow-tests/api'
import { WORKFLOW_TEST_LIMITS, type WorkflowTest } from '@weft/contract/workflow-tests/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { findRecord, newId } from '../../kit/record.ts'
import type { BeginTestRun } from '../test-runs/begin.ts'
import { readDocument } from '../workflows/document.ts'
import { workflowSource } from '../workflows/record.ts'
import { plainInputs } from './inputs.ts'
import { workflowTest, type WorkflowTestRow } from './table.ts'
import { ofWorkflow, testsWhere } from './view.ts'

/** Workflow tests: who may change a workflow may change its tests, and whoever may also run it may run them. */
export function workflowTestHandlers(begin: BeginTestRun): Implementation<typeof workflowTests> {
  return {
    async list(ctx, { workflowId }) {
      const { draft } = await findRecord(ctx, workflowSource, workflowId)
      return shown(draft, await testsWhere(ctx.tx, ofWorkflow(workflowId)))
    },

    async save(ctx, { id, version, workflowId, ...fields }) {
      const workflow = await findRecord(ctx, workflowSource, workflowId, 'UPDATE', { lock: true })
      refuseSecrets(workflow.draft, fields.inputs)
      const before = id === undefined ? undefined : await findTest(ctx, id, 'UPDATE')
      if (before && before.workflowId !== workflowId) throw new AppError('record.not_found')
      if (before && version !== undefined && before.version !== version)
        throw new AppError('record.stale', {}, { current: await one(ctx.tx, workflow.draft, before.id) })
      const testId = before?.id ?? newId()
      await checkRoom(ctx.tx, workflowId, testId, fields.name)
      const revision = before && !isOther(before, fields) ? before.revision : (before?.revision ?? 0) + 1
      await ctx.tx
        .insert(workflowTest)
        .values({ id: testId, workflowId, createdBy: ctx.user.id, revision, ...fields })
        .onConflictDoUpdate({
          target: workflowTest.id,
          set: { ...fields, revision, version: sql`${workflowTest.version} + 1`, updatedAt: sql`now()` },
        })
      const after = await one(ctx.tx, workflow.draft, testId)
      ctx.audit({
        feature: 'workflows',
        recordId: workflowId,
        ...(before ? { before: { test: before.name } } : {}),
        after: { test: after.name, expectations: after.expectations.length },
      })
      ctx.event({ feature: 'workflows', id: workflowId, kind: 'updated', ownerId: workflow.ownerId })
      return after
    },

    async remove(ctx, { id }) {
      const { workflowId, name } = await findTest(ctx, id, 'UPDATE')
      const { ownerId } = await findRecord(ctx, workflowSource, workflowId, 'UPDATE', { lock: true })
      await ctx.tx.delete(workflowTest).where(eq(workflowTest.id, id))
      ctx.audit({ feature: 'workflows', recordId: workflowId, before: { test: name } })
      ctx.event({ feature: 'workflows', id: workflowId, kind: 'updated', ownerId })
    },

    async run(ctx, { id, inputs, ...how }) {
      const { workflowId, revision, expectedResult, expectations, ...test } = await findTest(
        ctx,
        id,
        'UPDATE',
      )
      const { draft } = await findRecord(ctx, workflowSource, workflowId, 'UPDATE')
      const document = how.document ? readDocument(how.document) : draft
      refusePlain(document, Object.keys(inputs))
      return begin(
        ctx,
        {
          ...how,
          workflowId,
          scope: { kind: 'whole' },
          inputs: { ...plainInputs(document, test.inputs), ...inputs },
          resources: test.resources,
        },
        { id, revision, expectedResult, expectations },
      )
    },
  }
}

/** A test whose workflow the caller may act on: the workflow's rules are the test's. */
async function findTest(ctx: CallContext, id: string, action: 'UPDATE'): Promise<WorkflowTestRow> {
  const [row] = await ctx.tx.select().from(workflowTest).where(eq(workflowTest.id, id))
  if (!row) throw new AppError('record.not_found')
  await findRecord(ctx, workflowSource, row.workflowId, action)
  return row
}

/** Tests as those who may see the workflow read them. */
const shown = (draft: WorkflowDocument, tests: readonly WorkflowTest[]): WorkflowTest[] =>
  tests.map((test) => ({ ...test, inputs: plainInputs(draft, test.inputs) }))

async function one(tx: Tx, draft: WorkflowDocument, id: string): Promise<WorkflowTest> {
  const [test] = shown(draft, await testsWhere(tx, eq(workflowTest.id, id)))
  if (!test) throw new AppError('record.not_found')
  return test
}

/** A secret input is given when the test is run: everybody who may see the workflow can read its tests. */
function refuseSecrets({ inputs }: WorkflowDocument, given: Readonly<Record<string, unknown>>): void {
  const errors = inputs.flatMap(({ name, secret }) =>
    secret && name in given
      ? [{ path: `inputs.${name}`, code: 'secret', message: 'A test does not keep secret inputs.' }]
      : [],
  )
  if (errors.length > 0) throw new AppError('request.invalid', {}, { errors })
}

/** What is not secret belongs to the test: with something else it would be another case. */
function refusePlain({ inputs }: WorkflowDocument, given: readonly string[]): void {
  const secret = new Set(inputs.flatMap((input) => (input.secret ? [input.name] : [])))
  const errors = given.flatMap((name) =>
    secret.has(name)
      ? []
      : [{ path: `inputs.${name}`, code: 'not_secret', message: 'This input is kept with the test.' }],
  )
  if (errors.length > 0) throw new AppError('request.invalid', {}, { errors })
}

type Case = Pick<WorkflowTestRow, 'inputs' | 'resources' | 'expectedResult' | 'expectations'>

/** Whether it would run or expect something else than before. */
function isOther(before: Case, after: Case): boolean {
  const textOf = ({ inputs, resources, expectedResult, expectations }: Case) =>
    canonicalJson([
      inputs,
      resources,
      expectedResult,
      // How an expectation is called changes nothing.
      expectations.map(({ expression }) => expression),
    ])
  return textOf(before) !== textOf(after)
}

/** The workflow is locked, so two saves at once do not both find room, nor the same name free. */
async function checkRoom(tx: Tx, workflowId: string, id: string, name: string): Promise<void> {
  const others = and(ofWorkflow(workflowId), ne(workflowTest.id, id))
  const [found] = await tx
    .select({
      total: count(),
      same: sql<number>`count(*) filter (where ${workflowTest.name} = ${name})::int`,
    })
    .from(workflowTest)
    .where(others)
  if ((found?.same ?? 0) > 0) throw new AppError('workflowTest.name_taken')
  if ((found?.total ?? 0) >= WORKFLOW_TEST_LIMITS.tests)
    throw new AppError('workflowTest.too_many', { maximum: WORKFLOW_TEST_LIMITS.tests })
}
