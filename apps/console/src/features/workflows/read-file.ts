import { workflowFile, type WorkflowFile } from '@weft/contract/workflows/file'
import { readJsonFile } from '../../lib/json-file.ts'

/** Reads a file as a workflow; null where it is none. */
export function readWorkflowFile(file: File): Promise<WorkflowFile | null> {
  return readJsonFile(file, workflowFile)
}
