import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'
import { lackSchema, workflowInFile } from '../projects/transfer.ts'

/** What a workflow's file begins with, so that it is known for one. */
export const WORKFLOW_FILE = 'weft.workflow'
/** A draft and its releases. */
export const WORKFLOW_FILE_BYTES = 16 * 1024 * 1024

/** A workflow with its releases as one readable text: JSON. */
export const workflowFile = z.strictObject({
  format: z.literal(WORKFLOW_FILE),
  formatVersion: z.literal(1),
  exportedAt: timestamp,
  workflow: workflowInFile,
})
export type WorkflowFile = z.infer<typeof workflowFile>

/** What an import made, and what is missing before it can run. */
export const workflowImportReport = z.object({
  workflowId: id,
  releases: z.number().int(),
  missing: z.array(lackSchema),
  /** Numbers of releases that are not valid here, that the person may not publish, or that call what is not offered. */
  leftOut: z.array(z.number().int()),
})
