import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { canonicalJson } from '@weft/contract/core/canonical'
import type { problemSchema, WireDocument } from '@weft/contract/workflows/schema'
import type { DocumentProblem, WorkflowDocument } from '@weft/workflow/document'
import { decodeDocument, encodeDocument } from '@weft/workflow/state-codec'
import { validate, type FindWorkflow, type Problem } from '@weft/workflow/validate'
import { AppError } from '../../kit/app-error.ts'

/** Reads a document from the wire. One with problems is fine; one that is not a document is refused, every fault named. */
export function readDocument(wire: WireDocument): WorkflowDocument {
  const decoded = decodeDocument(wire)
  if (decoded.ok) return decoded.value
  const state = decoded.problems.find(({ code }) => code.startsWith('state.'))
  const errors = decoded.problems.map(fieldError)
  if (!state) throw new AppError('request.invalid', {}, { errors })
  const index = Number(/^activities\.(\d+)\./.exec(state.path)?.[1] ?? -1)
  throw new AppError('workflow.bad_state', { activity: wire.activities[index]?.id ?? '' }, { errors })
}

function fieldError({ code, path, params }: DocumentProblem) {
  const detail = params['detail']
  return {
    path: path ? `draft.${path}` : 'draft',
    code,
    message: typeof detail === 'string' ? detail : code,
    params,
  }
}

/** A document as it travels. */
export function writeDocument(document: WorkflowDocument): WireDocument {
  return { ...encodeDocument(document) }
}

/** The hash by which two documents are the same. */
export function hashOf(document: WorkflowDocument): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex')
}

/** What is wrong with a document, as the contract tells it. */
export function problemsOf(
  document: WorkflowDocument,
  options: { findWorkflow?: FindWorkflow; workflowId?: string },
): z.input<typeof problemSchema>[] {
  return validate(document, options).map(problemView)
}

function problemView({ code, severity, stepId, path, params }: Problem): z.input<typeof problemSchema> {
  return { code, severity, activityId: stepId, path, params }
}
