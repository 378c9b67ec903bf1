import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, idInput } from '../core/record.ts'
import { testRunSchema } from '../test-runs/schema.ts'
import { wireDocumentSchema } from '../workflows/schema.ts'
import { workflowTestSave, workflowTestSchema } from './schema.ts'

const at = '/api-elsa/api/v1/elsa/workflow/test'
const update = { action: 'UPDATE', subject: 'WORKFLOW' } as const

/** Workflow tests: named cases with inputs and expectations, each run on demand by a test run of the whole workflow. */
export const workflowTests = defineApi('workflowTests', {
  list: {
    method: 'GET',
    path: `${at}/list/{workflowId}`,
    access: { action: 'VIEW', subject: 'WORKFLOW' },
    summary: 'The tests of a workflow by name, each with how it came out last',
    input: z.strictObject({ workflowId: id }),
    data: z.array(workflowTestSchema),
  },
  save: {
    method: 'POST',
    path: `${at}/save`,
    access: update,
    summary: 'Make a test of a workflow, or change one',
    input: z.strictObject(workflowTestSave),
    data: workflowTestSchema,
    audit: 'workflow.test_save',
  },
  remove: {
    method: 'POST',
    path: `${at}/delete/{id}`,
    access: update,
    summary: 'Remove a test; the runs that it made stay in the history',
    input: idInput,
    audit: 'workflow.test_delete',
  },
  run: {
    method: 'POST',
    path: `${at}/run`,
    access: update,
    summary: 'Run a test: a test run of the whole workflow, after which the expectations are looked at',
    input: z.strictObject({
      id,
      /** What the editor shows; without it, the stored draft. */
      document: wireDocumentSchema.optional(),
      clientId: id.nullable().default(null),
      /** The secret ones alone, since a test does not keep them. */
      inputs: z.record(z.string().max(64), z.unknown()).default({}),
      allowIrreversible: z.boolean().default(false),
    }),
    data: testRunSchema,
    audit: 'workflow.test_run',
    maxBodyBytes: 2 * 1024 * 1024,
  },
})
