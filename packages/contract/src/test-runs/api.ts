import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { id, idInput } from '../core/record.ts'
import { RUN_RESULTS } from '../runs/schema.ts'
import { wireDocumentSchema } from '../workflows/schema.ts'
import {
  lastValuesSchema,
  pinSchema,
  testResourcesSchema,
  testRunSchema,
  testScopeSchema,
  testWaitSchema,
} from './schema.ts'

const at = '/api-elsa/api/v1/elsa/workflow/test-run'
const update = { action: 'UPDATE', subject: 'WORKFLOW' } as const
const view = { action: 'VIEW', subject: 'WORKFLOW' } as const
const workflowInput = z.strictObject({ workflowId: id })
const stepInput = { workflowId: id, activityId: z.string().min(1).max(48) }

/**
 * Test runs: what an author has in the editor, run on a client without a campaign. They are runs like all others (`runs.get`,
 * `runs.log`, `runs.file`, `runs.cancel`), seen by those who started them and by those who see their campaigns' runs.
 */
export const testRuns = defineApi('testRuns', {
  start: {
    method: 'POST',
    path: `${at}/start`,
    access: update,
    summary: 'Run a document, one of its steps, or all from a step on, on a client',
    input: z.strictObject({
      workflowId: id,
      /** What the editor shows; without it, the stored draft. */
      document: wireDocumentSchema.optional(),
      scope: testScopeSchema,
      /** Null: any client with a free slot that the person may run. */
      clientId: id.nullable().default(null),
      inputs: z.record(z.string().max(64), z.unknown()).default({}),
      resources: testResourcesSchema.default({}),
      /** Steps that cannot be taken back act for real; where the scope has any, this says that it is meant. */
      allowIrreversible: z.boolean().default(false),
    }),
    data: testRunSchema,
    audit: 'workflow.test_run',
    maxBodyBytes: 2 * 1024 * 1024,
  },
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: view,
    summary: 'Test runs of a workflow, newest first',
    input: listQuery({
      sortable: ['queuedAt'],
      filters: { workflowId: id, result: queryList(z.enum(RUN_RESULTS)).optional() },
    }),
    list: testRunSchema,
  },
  document: {
    method: 'GET',
    path: `${at}/document/{id}`,
    access: view,
    summary: 'The document that a test run runs or ran',
    input: idInput,
    data: z.object({ document: wireDocumentSchema }),
  },
  waits: {
    method: 'GET',
    path: `${at}/waits/{id}`,
    access: view,
    summary: 'What a test run waits for now: a time, or an answer',
    input: idInput,
    data: z.array(testWaitSchema),
  },
  skipWait: {
    method: 'POST',
    path: `${at}/skip-wait/{id}`,
    access: update,
    summary: 'Have a test run go on as if the time that it waits for had come',
    input: z.strictObject({ id, waitId: id }),
    data: z.array(testWaitSchema),
    audit: 'workflow.skip_wait',
  },
  lastValues: {
    method: 'GET',
    path: `${at}/last-values/{workflowId}`,
    access: view,
    summary: 'Variables, inputs and outputs of the caller’s newest test run of a workflow',
    input: workflowInput,
    data: lastValuesSchema,
  },
  pins: {
    method: 'GET',
    path: `${at}/pins/{workflowId}`,
    access: view,
    summary: 'The outputs that the caller has pinned in a workflow',
    input: workflowInput,
    data: z.array(pinSchema),
  },
  setPin: {
    method: 'POST',
    path: `${at}/pin`,
    access: update,
    summary: 'Have a step’s output in a test run stand in for the step in the caller’s later test runs',
    input: z.strictObject({ ...stepInput, runId: id }),
    data: pinSchema,
  },
  removePin: {
    method: 'POST',
    path: `${at}/unpin`,
    access: update,
    summary: 'Have a step performed again; removing what is not pinned changes nothing',
    input: z.strictObject(stepInput),
    data: z.array(pinSchema),
  },
})
