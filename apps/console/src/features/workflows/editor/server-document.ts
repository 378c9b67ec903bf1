import type { WireDocument as ContractDocument } from '@weft/contract/workflows/schema'
import { workflowSchema, type Workflow } from '@weft/contract/workflows/schema'
import type { DocumentProblem, WorkflowDocument } from '@weft/workflow/document'
import { decodeDocument, encodeDocument } from '@weft/workflow/state-codec'

/** The document of a workflow as the server sent it, or why it cannot be read. */
export function documentFrom(
  wire: ContractDocument,
): { ok: true; value: WorkflowDocument } | { ok: false; problems: DocumentProblem[] } {
  return decodeDocument(wire)
}

/** A document as it is sent. */
export function toWire(document: WorkflowDocument): ContractDocument {
  return { ...encodeDocument(document) }
}

/** The workflow that a refused save answers with. */
export function currentOf(body: { current?: unknown }): Workflow | undefined {
  return workflowSchema.safeParse(body.current).data
}
