import { array, constantFrom, jsonValue, nat, record } from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { activityTypes, definitionOf, outcomesOf } from '../catalogue/catalogue.ts'
import { DOCUMENT_LIMITS, emptyDocument, jsonSchema, valueTypes } from '../document.ts'
import type { Activity, WorkflowDocument } from '../document.ts'
import { findJsonProblem } from '../json.ts'
import type { Json, JsonObject } from '../json.ts'
import { apply, copyActivities, freeIdFor, OperationError } from '../operations.ts'
import type { Operation, Place } from '../operations.ts'
import { indent, moveDown, moveUp, outdent } from '../outline-moves.ts'

/** A change of a document that is yet to be found: the numbers choose among what the document has then. */
export interface RandomEdit {
  kind: (typeof KINDS)[number]
  at: number
  to: number
  more: number
  value: Json
}

const KINDS = [
  'add',
  'add',
  'add',
  'move',
  'update',
  'remove',
  'rename',
  'duplicate',
  'paste',
  'disconnect',
  'connect',
  'start',
  'inputs',
  'variables',
  'settings',
  'up',
  'down',
  'indent',
  'outdent',
] as const

const PLACES = 1_000_000
const number = nat(PLACES)

/**
 * So many tries, the same ones each time, so that what passes does not hang on luck; another `RANDOM_SEED` in the
 * environment tries others.
 */
export const tries = (numRuns: number) => ({ numRuns, seed: Number(process.env['RANDOM_SEED'] ?? 1) })

/** Any JSON that a document may hold. */
const storable: Arbitrary<Json> = jsonValue({ maxDepth: 2, stringUnit: 'binary' })
  .map((value) => jsonSchema.parse(JSON.parse(JSON.stringify(value))))
  .filter((value) => findJsonProblem(value, DOCUMENT_LIMITS.depth - 5) === undefined)

/** A change of any kind, by the canvas, the outline or a panel. */
export const randomEdit: Arbitrary<RandomEdit> = record({
  kind: constantFrom(...KINDS),
  at: number,
  to: number,
  more: number,
  value: storable,
})

/** A document as so many changes left it. */
export const randomDocument = (changes: number): Arbitrary<WorkflowDocument> =>
  array(randomEdit, { minLength: 1, maxLength: changes, size: 'max' }).map((edits) =>
    edits.reduce((document, edit) => edited(document, edit), emptyDocument()),
  )

/** The document after a change; as it was where the change does not fit. */
export function edited(document: WorkflowDocument, edit: RandomEdit): WorkflowDocument {
  const operation = operationOf(document, edit)
  if (!operation) return document
  try {
    return apply(document, operation)
  } catch (error) {
    if (error instanceof OperationError) return document
    throw error
  }
}

/** The operation that a change means in a document; null where there is nothing that it could change. */
export function operationOf(document: WorkflowDocument, edit: RandomEdit): Operation | null {
  const { kind, at, to, more, value } = edit
  const step = chosen(document.activities, at)
  const place = placeOf(document, to, more)
  switch (kind) {
    case 'add': {
      const type = chosen(activityTypes, at) ?? 'log'
      const activity = {
        id: freeIdFor(document, type),
        type,
        typeVersion: 1,
        state: stateOf(document, type, edit),
      }
      return { kind: 'addActivity', activity, place }
    }
    case 'inputs':
      return {
        kind: 'setInputs',
        inputs: [
          {
            name: `in${at % 7}`,
            type: chosen(valueTypes, to) ?? 'text',
            required: more % 2 === 0,
            default: value,
          },
        ],
      }
    case 'variables':
      return {
        kind: 'setVariables',
        variables: [{ name: `v${at % 7}`, type: chosen(valueTypes, to) ?? 'text', default: value }],
      }
    case 'settings':
      return { kind: 'setSettings', settings: { ...document.settings, maxAttempts: 1 + (at % 10) } }
    case 'disconnect': {
      const line = chosen(document.connections, at)
      return line ? { kind: 'disconnect', from: line.from, outcome: line.outcome } : null
    }
    default:
      return step ? ofStep(document, edit, step, place) : null
  }
}

function ofStep(
  document: WorkflowDocument,
  edit: RandomEdit,
  step: Activity,
  place: Place,
): Operation | null {
  const { id } = step
  const { kind, to, more } = edit
  switch (kind) {
    case 'move':
      return { kind: 'moveActivity', id, place }
    case 'update':
      return {
        kind: 'updateActivity',
        id,
        changes: {
          state: stateOf(document, step.type, edit),
          disabled: more % 2 === 0,
          name: more % 3 ? 'named' : undefined,
        },
      }
    case 'remove':
      return { kind: 'removeActivity', id }
    case 'rename':
      return { kind: 'renameActivity', id, newId: `renamed_${to % 50}` }
    case 'duplicate':
      return { kind: 'duplicateActivity', id }
    case 'paste': {
      const second = chosen(document.activities, more)?.id ?? id
      return { kind: 'paste', fragment: copyActivities(document, [id, second]), place }
    }
    case 'connect': {
      const from = chosen(document.activities, to)
      const outcome = from && chosen(outcomesOf(from), more)?.name
      return from && outcome !== undefined ? { kind: 'connect', from: from.id, outcome, to: id } : null
    }
    case 'start':
      return { kind: 'setStart', id }
    case 'up':
      return moveUp(document, id)
    case 'down':
      return moveDown(document, id)
    case 'indent':
      return indent(document, id)
    case 'outdent':
      return outdent(document, id)
    default:
      return null
  }
}

/** What a step holds: something that any JSON can be, texts that name another step, and the bodies of a container. */
function stateOf(document: WorkflowDocument, type: string, { to, more, value }: RandomEdit): JsonObject {
  const named = chosen(document.activities, to)?.id ?? 'none'
  const state: JsonObject = { anything: value }
  for (const { name, kind } of definitionOf(type)?.fields ?? []) {
    if (kind === 'template') state[name] = `{{ steps.${named}.value }}`
    if (kind === 'expression') state[name] = `steps.${named}.value == ${more}`
    if (name === 'cases') state[name] = [{ key: `k${more % 3}` }, { key: 'k9' }]
    if (name === 'branches') state[name] = [{ key: `b${more % 3}` }, { key: 'b9' }]
  }
  return state
}

function placeOf(document: WorkflowDocument, to: number, more: number): Place {
  const step = chosen(document.activities, to)
  if (!step || more % 5 === 0) return { at: 'start' }
  const body = chosen(
    outcomesOf(step).filter(({ kind }) => kind === 'body'),
    more,
  )
  return body && more % 2 === 0
    ? { at: 'into', id: step.id, outcome: body.name }
    : { at: 'after', id: step.id }
}

const chosen = <T>(from: readonly T[], by: number): T | undefined => from[by % Math.max(1, from.length)]
