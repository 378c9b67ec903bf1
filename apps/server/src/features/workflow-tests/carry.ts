import { asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { testInFile } from '@weft/contract/workflow-tests/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { newId } from '../../kit/record.ts'
import { plainInputs } from './inputs.ts'
import { workflowTest, type WorkflowTestRow } from './table.ts'

type Carried = z.infer<typeof testInFile> & Partial<Pick<WorkflowTestRow, 'resources'>>

const carried = {
  name: workflowTest.name,
  inputs: workflowTest.inputs,
  expectedResult: workflowTest.expectedResult,
  expectations: workflowTest.expectations,
}

/** The tests of a workflow as its file has them, without values of secret inputs. */
export async function testsForFile(
  tx: Tx,
  { id, draft }: { id: string; draft: WorkflowDocument },
): Promise<z.infer<typeof testInFile>[]> {
  const tests = await tx
    .select(carried)
    .from(workflowTest)
    .where(eq(workflowTest.workflowId, id))
    .orderBy(asc(workflowTest.name))
  return tests.map((test) => ({ ...test, inputs: plainInputs(draft, test.inputs) }))
}

/** Gives a copy the tests of the workflow that it is of, with what they work with. */
export async function copyTests(
  ctx: CallContext,
  from: string,
  to: { id: string; draft: WorkflowDocument },
): Promise<void> {
  const tests = await ctx.tx
    .select({ ...carried, resources: workflowTest.resources })
    .from(workflowTest)
    .where(eq(workflowTest.workflowId, from))
  await putTests(ctx, to, tests)
}

/** Gives a new workflow the tests that come with it; values of secret inputs are kept with none. */
export async function putTests(
  ctx: CallContext,
  { id: workflowId, draft }: { id: string; draft: WorkflowDocument },
  tests: readonly Carried[],
): Promise<void> {
  if (tests.length === 0) return
  if (new Set(tests.map(({ name }) => name)).size < tests.length)
    throw new AppError('project.bad_file', { detail: 'a test occurs twice' })
  await ctx.tx.insert(workflowTest).values(
    tests.map(({ inputs, ...test }) => ({
      ...test,
      id: newId(),
      workflowId,
      inputs: plainInputs(draft, inputs),
      createdBy: ctx.user.id,
    })),
  )
}
