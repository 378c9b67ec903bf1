import {
  DOCUMENT_LIMITS,
  jsonObjectSchema,
  parseDocument,
  problemsOfZod,
  wireDocumentSchema,
} from './document.ts'
import type { DocumentProblem, Parsed, WireDocument, WorkflowDocument } from './document.ts'
import { findJsonProblem } from './json.ts'
import type { JsonObject } from './json.ts'

/** The longest base64 text whose content can still be within the document's limit. */
export const MAX_ENCODED_STATE = Math.ceil(DOCUMENT_LIMITS.bytes / 3) * 4

// String.fromCharCode takes its bytes as arguments, and engines limit how many those may be.
const CHUNK = 8192

/** A step's state as it travels: JSON in UTF-8 in base64. */
export function encodeState(state: JsonObject): string {
  const bytes = new TextEncoder().encode(JSON.stringify(state))
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  }
  return btoa(binary)
}

/** Reads a state from the wire: size first, then base64, UTF-8, JSON, depth and keys. */
export function decodeState(text: string, path = 'state'): Parsed<JsonObject> {
  const refuse = (code: string, params: DocumentProblem['params'] = {}): Parsed<JsonObject> => ({
    ok: false,
    problems: [{ code, path, params }],
  })
  if (text.length > MAX_ENCODED_STATE) {
    return refuse('state.too_large', { bytes: text.length, max: MAX_ENCODED_STATE })
  }
  let json: unknown
  try {
    const binary = atob(text)
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refuse('state.not_base64_json')
  }
  const problem = findJsonProblem(json, DOCUMENT_LIMITS.depth)
  if (problem) return refuse(problem.code, { at: problem.path })
  const parsed = jsonObjectSchema.safeParse(json)
  if (!parsed.success) return refuse('state.not_object')
  return { ok: true, value: parsed.data }
}

/** The document as it travels. */
export function encodeDocument(document: WorkflowDocument): WireDocument {
  return {
    ...document,
    activities: document.activities.map((activity) => ({ ...activity, state: encodeState(activity.state) })),
  }
}

/** Reads a document from the wire; every broken state is listed. */
export function decodeDocument(input: unknown): Parsed<WorkflowDocument> {
  const wire = wireDocumentSchema.safeParse(input)
  if (!wire.success) return { ok: false, problems: problemsOfZod(wire.error) }
  const problems: DocumentProblem[] = []
  let encoded = 0
  const activities = wire.data.activities.flatMap((activity, index) => {
    // The states of one document share its limit, so their sum is checked before any more of them is decoded.
    encoded += activity.state.length
    if (encoded > MAX_ENCODED_STATE) return []
    const state = decodeState(activity.state, `activities.${index}.state`)
    if (state.ok) return [{ ...activity, state: state.value }]
    problems.push(...state.problems)
    return []
  })
  if (encoded > MAX_ENCODED_STATE) {
    const params = { bytes: encoded, max: MAX_ENCODED_STATE }
    return { ok: false, problems: [{ code: 'workflow.too_large', path: 'activities', params }] }
  }
  if (problems.length > 0) return { ok: false, problems }
  return parseDocument({ ...wire.data, activities })
}
