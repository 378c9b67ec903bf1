import { outcomesOf } from '@weft/workflow/catalogue/catalogue'
import type { WorkflowDocument } from '@weft/workflow/document'
import { enclosing, indexGraph, subtreeOf } from '@weft/workflow/graph'
import type { JsonObject } from '@weft/workflow/json'
import { apply } from '@weft/workflow/operations'
import type { Fragment, Operation, Place } from '@weft/workflow/operations'
import { outlineOf, stepsInOrder } from '@weft/workflow/outline'
import { indent, moveDown, moveUp, outdent } from '@weft/workflow/outline-moves'
import { newStep } from './new-step.ts'
import { rowKey } from './rows.ts'

/** A changed document and the row that the eye should be on. */
export interface Edited {
  document: WorkflowDocument
  focus: string | null
}

/** The place where something new goes when a row has the focus: below it, or before it where nothing may follow. */
export function placeAt(document: WorkflowDocument, focus: string | null): Place {
  const row = outlineOf(document).find((candidate) => rowKey(candidate) === focus)
  if (!row) return endPlace(document)
  if (row.kind === 'outcome') return { at: 'into', id: row.owner.id, outcome: row.outcome.name }
  if (canBeFollowed(row.activity)) return { at: 'after', id: row.activity.id }
  const line = indexGraph(document).incoming(row.activity.id)
  if (!line) return { at: 'start' }
  return line.outcome === 'done'
    ? { at: 'after', id: line.from }
    : { at: 'into', id: line.from, outcome: line.outcome }
}

const canBeFollowed = (activity: Parameters<typeof outcomesOf>[0]) =>
  outcomesOf(activity).some(({ name }) => name === 'done')

/** The end of the first chain. */
function endPlace(document: WorkflowDocument): Place {
  const graph = indexGraph(document)
  let last = graph.start
  for (let at = graph.start ?? undefined; at !== undefined; at = graph.next(at, 'done')) last = at
  const activity = last === null ? undefined : graph.byId.get(last)
  if (!activity) return { at: 'start' }
  return placeOfFollower(document, activity.id)
}

function placeOfFollower(document: WorkflowDocument, id: string): Place {
  const graph = indexGraph(document)
  const activity = graph.byId.get(id)
  if (activity && canBeFollowed(activity)) return { at: 'after', id }
  const line = graph.incoming(id)
  return line ? { at: 'after', id: line.from } : { at: 'start' }
}

/** Adds a step of a type at a place. */
export function addStep(document: WorkflowDocument, type: string, place: Place): Edited {
  const activity = newStep(document, type)
  return { document: apply(document, { kind: 'addActivity', activity, place }), focus: activity.id }
}

/** Of some steps those that lie in no other of them, in the order of the outline. */
export function headsOf(document: WorkflowDocument, ids: Iterable<string>): string[] {
  const wanted = new Set(ids)
  const graph = indexGraph(document)
  return stepsInOrder(document)
    .map(({ id }) => id)
    .filter((id) => wanted.has(id) && !enclosing(graph, id).some(({ container }) => wanted.has(container.id)))
}

/** Removes steps with all that is in them. */
export function removeSteps(document: WorkflowDocument, ids: Iterable<string>): WorkflowDocument {
  return headsOf(document, ids).reduce((at, id) => apply(at, { kind: 'removeActivity', id }), document)
}

/** Puts copies of steps after the last of them. */
export function duplicateSteps(document: WorkflowDocument, ids: Iterable<string>, copy: Copy): Edited {
  const heads = headsOf(document, ids)
  const last = heads.at(-1)
  if (last === undefined) return { document, focus: null }
  return pasteSteps(document, copy(document, heads), placeOfFollower(document, last))
}

type Copy = (document: WorkflowDocument, ids: string[]) => Fragment

/** Puts copied steps at a place; the first of them gets the focus. */
export function pasteSteps(document: WorkflowDocument, fragment: Fragment, place: Place): Edited {
  const pasted = apply(document, { kind: 'paste', fragment, place })
  const before = new Set(document.activities.map(({ id }) => id))
  return { document: pasted, focus: stepsInOrder(pasted).find(({ id }) => !before.has(id))?.id ?? null }
}

/** Switches steps off, or on again where all of them are off. */
export function toggleDisabled(document: WorkflowDocument, ids: ReadonlySet<string>): WorkflowDocument {
  const chosen = document.activities.filter(({ id }) => ids.has(id))
  const disabled = chosen.some((activity) => !activity.disabled) ? true : undefined
  return chosen.reduce(
    (at, { id }) => apply(at, { kind: 'updateActivity', id, changes: { disabled } }),
    document,
  )
}

/** The ways of Alt and an arrow. */
export type Direction = 'up' | 'down' | 'in' | 'out'

const moves: Record<Direction, (document: WorkflowDocument, id: string) => Operation | null> = {
  up: moveUp,
  down: moveDown,
  in: indent,
  out: outdent,
}

/** Moves steps together; null where the first of them in that direction cannot go. */
export function moveSteps(
  document: WorkflowDocument,
  ids: Iterable<string>,
  direction: Direction,
): WorkflowDocument | null {
  const heads = headsOf(document, ids)
  // Down and out, the last one goes first, or the others would be put before it in the wrong order.
  const order = direction === 'down' || direction === 'out' ? heads.toReversed() : heads
  let at = document
  for (const id of order) {
    const operation = moves[direction](at, id)
    if (!operation) return null
    at = apply(at, operation)
  }
  return at
}

/** Tells of a place whether moving steps there is impossible or would change nothing. */
export function closedTo(document: WorkflowDocument, ids: Iterable<string>): (place: Place) => boolean {
  const graph = indexGraph(document)
  const heads = headsOf(document, ids)
  const inside = new Set(heads.flatMap((id) => subtreeOf(graph, id).map((step) => step.id)))
  const [only] = heads.length === 1 ? heads : []
  const before = only === undefined ? undefined : graph.incoming(only)
  return (place) => {
    if (place.at === 'start') return only !== undefined && graph.start === only
    if (inside.has(place.id)) return true
    return before?.from === place.id && before.outcome === (place.at === 'after' ? 'done' : place.outcome)
  }
}

/** Takes steps to a place, in their order, each after the one before. */
export function moveStepsTo(
  document: WorkflowDocument,
  ids: Iterable<string>,
  place: Place,
): WorkflowDocument {
  let at = document
  let next = place
  for (const id of headsOf(document, ids)) {
    // Where it stands already, taking it out would lose the place.
    if (next.at !== 'after' || next.id !== id) at = apply(at, { kind: 'moveActivity', id, place: next })
    next = { at: 'after', id }
  }
  return at
}

/**
 * Gives a step a new state. A body that the new state no longer has (a case that was taken away) goes with its steps;
 * `removed` says how many.
 */
export function setState(
  document: WorkflowDocument,
  id: string,
  state: JsonObject,
): { document: WorkflowDocument; removed: number } {
  const graph = indexGraph(document)
  const activity = graph.byId.get(id)
  if (!activity) return { document, removed: 0 }
  const stays = new Set(outcomesOf({ type: activity.type, state }).map(({ name }) => name))
  const lost = outcomesOf(activity).filter(({ name }) => !stays.has(name))
  let at = document
  for (const { name } of lost) {
    for (let first = indexGraph(at).next(id, name); first; first = indexGraph(at).next(id, name))
      at = apply(at, { kind: 'removeActivity', id: first })
  }
  const removed = document.activities.length - at.activities.length
  return { document: apply(at, { kind: 'updateActivity', id, changes: { state } }), removed }
}

/** How many steps go when these are removed. */
export function countWithInner(document: WorkflowDocument, ids: Iterable<string>): number {
  const graph = indexGraph(document)
  return new Set(headsOf(document, ids).flatMap((id) => subtreeOf(graph, id).map((step) => step.id))).size
}
