import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id } from '../core/record.ts'
import { liveCalls } from '../attended-runs/live-calls.ts'
import { attendedRunSchema } from '../attended-runs/schema.ts'

const at = '/api-elsa/api/v1/elsa/workflow/browser'
/** Whoever may write the workflow; client, account and profile are looked at with each call. */
const access = { action: 'UPDATE', subject: 'WORKFLOW' } as const
const purpose = z.enum(['pick', 'record'])

/** Browsers that are opened from a workflow's editor: to point at an element, or to record steps. */
export const editorBrowsers = defineApi('editorBrowsers', {
  ...liveCalls(at, access),
  current: {
    method: 'GET',
    path: `${at}/current/{workflowId}`,
    access,
    summary: 'The browser that the caller has opened from this workflow and that is still open',
    input: z.strictObject({ workflowId: id, purpose }),
    data: z.object({ run: attendedRunSchema.nullable() }),
  },
  open: {
    method: 'POST',
    path: `${at}/open`,
    access,
    summary: 'Open a browser on a client to point at an element of a page, or to record steps',
    input: z.strictObject({
      workflowId: id,
      purpose,
      url: z.url({ protocol: /^https?$/ }).max(2000),
      /** Without it, one with a free slot is chosen. */
      clientId: id.optional(),
      /** Without account and profile the browser is fresh. */
      accountId: id.optional(),
      profileId: id.optional(),
    }),
    data: attendedRunSchema,
    audit: 'browser.open',
  },
})
