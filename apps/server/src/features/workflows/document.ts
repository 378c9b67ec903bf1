import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { canonicalJson } from '@weft/contract/core/canonical'
import type { problemSchema, WireDocument } from '@weft/contract/workflows/schema'
import type { DocumentProblem, WorkflowDocument } from '@weft/workflow/document'
import { decodeDocument, encodeDocument } from '@weft/workflow/state-codec'
import { validate, type FindWorkflow, type Problem, type ProjectNames } from '@weft/workflow/validate'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'

/** Reads a document from the wire. One with problems is fine; one that is not a document is refused, every fault named. */
export function readDocument(wire: WireDocument): WorkflowDocument {
  const decoded = decodeDocument(wire)
  if (decoded.ok) return decoded.value
  const errors = decoded.problems.map(fieldError)
  const broken = decoded.problems
    .map(({ path }) => /^activities\.(\d+)\.state$/.exec(path)?.[1])
    .find((index) => index !== undefined)
  if (broken === undefined) throw new AppError('request.invalid', {}, { errors })
  throw new AppError(
    'workflow.bad_state',
    { activity: wire.activities[Number(broken)]?.id ?? '' },
    { errors },
  )
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

/** What is stored of a draft that somebody made. */
export function draftColumns(draft: WorkflowDocument, { user }: Pick<CallContext, 'user'>) {
  return { draft, draftHash: hashOf(draft), draftBy: user.id, activityCount: draft.activities.length }
}

/** What is wrong with a document, as the contract tells it. */
export function problemsOf(
  document: WorkflowDocument,
  options: {
    findWorkflow?: FindWorkflow
    workflowId?: string
    project?: ProjectNames
    /** The activities that the installation does not allow. */
    switchedOff: ReadonlySet<string>
  },
): z.input<typeof problemSchema>[] {
  return validate(document, options).map(problemView)
}

function problemView({ code, severity, stepId, path, params }: Problem): z.input<typeof problemSchema> {
  return { code, severity, activityId: stepId, path, params }
}
