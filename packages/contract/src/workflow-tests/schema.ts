import { z } from 'zod'
import { id, timestamp, version } from '../core/record.ts'
import { RUN_RESULTS, runErrorSchema } from '../runs/schema.ts'
import { testResourcesSchema } from '../test-runs/schema.ts'
import { TEST_VERDICTS } from './standing.ts'

/** How many tests a workflow may have, and how many expectations a test. */
export const WORKFLOW_TEST_LIMITS = { tests: 100, expectations: 50 } as const

/**
 * What must hold once a test's run is over: an expression over `inputs`, `vars`, `steps`, `item`, `run`, and over `outputs`,
 * `result` (`succeeded` or `failed`) and `error` of the run itself.
 */
export const expectationSchema = z.strictObject({
  label: z.string().trim().max(120).default(''),
  expression: z.string().trim().min(1).max(2000),
})
export type Expectation = z.infer<typeof expectationSchema>

/** Whether an expectation held; null where it was not come to. */
export const checkSchema = z.object({
  label: z.string(),
  expression: z.string(),
  holds: z.boolean().nullable(),
  /** Why it could not be worked out. */
  message: z.string().nullable(),
  /** What stood there, as JSON: of a comparison its left side, else what the whole expression gave. */
  found: z.string().nullable(),
  /** What a comparison asked for, as JSON, with its sign where that is not equality. */
  wanted: z.string().nullable(),
})
export type Check = z.infer<typeof checkSchema>

const fields = {
  name: z.string().trim().min(1).max(120),
  inputs: z.record(z.string().max(64), z.unknown()),
  resources: testResourcesSchema,
  expectedResult: z.enum(['succeeded', 'failed']),
  expectations: z.array(expectationSchema).max(WORKFLOW_TEST_LIMITS.expectations),
}

/** A named case of a workflow, with how it came out last. */
export const workflowTestSchema = z.object({
  id,
  workflowId: id,
  ...fields,
  version,
  /** It goes up with every change of what is run or expected; a new name is none. */
  revision: z.number().int(),
  updatedAt: timestamp,
  last: z
    .object({
      /** Its run, for `runs.get`. */
      runId: id,
      at: timestamp,
      byName: z.string(),
      /** The SHA-256 of the document that was run: another draft may come out otherwise. */
      documentHash: z.string(),
      /** The revision of the test that was run; null of runs before there were any. */
      revision: z.number().int().nullable(),
      verdict: z.enum(TEST_VERDICTS),
      result: z.enum(RUN_RESULTS).nullable(),
      error: runErrorSchema.nullable(),
      checks: z.array(checkSchema),
    })
    .nullable(),
})
export type WorkflowTest = z.infer<typeof workflowTestSchema>

/** A test as the file of its workflow has it: without accounts and the like, which are of one installation. */
export const testInFile = z.strictObject({
  name: fields.name,
  inputs: fields.inputs,
  expectedResult: fields.expectedResult,
  expectations: fields.expectations,
})

/** What `save` takes; without an id it makes a test. */
export const workflowTestSave = {
  workflowId: id,
  id: id.optional(),
  /** The version that was edited; another one by now is refused. */
  version: version.optional(),
  name: fields.name,
  inputs: fields.inputs.default({}),
  resources: fields.resources.default({}),
  expectedResult: fields.expectedResult.default('succeeded'),
  expectations: fields.expectations.default([]),
}
