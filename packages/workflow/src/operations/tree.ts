import { outcomesOf } from '../catalogue/catalogue.ts'
import { activityIdSchema, DOCUMENT_LIMITS } from '../document.ts'
import type { Activity, Connection, WorkflowDocument } from '../document.ts'
import { indexGraph, subtreeOf } from '../graph.ts'
import { OperationError } from './error.ts'

/** Where a step can be put: first of all, after another in its chain, or first in a body. What was there comes after. */
export type Place =
  | { at: 'start' }
  | { at: 'after'; id: string }
  | { at: 'into'; id: string; outcome: string }

/** The activity of an id. */
export function requireActivity(document: WorkflowDocument, id: string): Activity {
  const activity = document.activities.find((candidate) => candidate.id === id)
  if (!activity) throw new OperationError('operation.unknown_step', { step: id })
  return activity
}

/** An activity and all in its bodies, by id. */
export function subtreeIds(document: WorkflowDocument, id: string): Set<string> {
  return new Set(subtreeOf(indexGraph(document), id).map((activity) => activity.id))
}

/** Adds activities, keeping ids unique and their number bounded. */
export function withActivities(document: WorkflowDocument, added: Activity[]): WorkflowDocument {
  const activities = [...document.activities, ...added]
  if (activities.length > DOCUMENT_LIMITS.activities) throw new OperationError('operation.too_many')
  const ids = new Set(document.activities.map(({ id }) => id))
  for (const { id } of added) {
    if (!activityIdSchema.safeParse(id).success)
      throw new OperationError('operation.id_invalid', { step: id })
    if (ids.has(id)) throw new OperationError('operation.id_taken', { step: id })
    ids.add(id)
  }
  return { ...document, activities }
}

const hasNext = (activity: Activity): boolean => outcomesOf(activity).some(({ name }) => name === 'done')

/** Puts a chain from `head` to `tail`, which nothing leads to yet, at a place. What stood there follows it. */
export function insertChain(
  document: WorkflowDocument,
  head: string,
  tail: string,
  place: Place,
): WorkflowDocument {
  const follower = takeFollower(document, place)
  const connections = [...follower.connections]
  if (place.at !== 'start') {
    connections.push({ from: place.id, outcome: place.at === 'after' ? 'done' : place.outcome, to: head })
  }
  if (follower.id !== null) {
    if (!hasNext(requireActivity(document, tail))) {
      throw new OperationError('operation.nothing_follows', { step: tail })
    }
    connections.push({ from: tail, outcome: 'done', to: follower.id })
  }
  return { ...document, connections, start: place.at === 'start' ? head : document.start }
}

/** What stands at a place now, and the connections without the one that leads to it. */
function takeFollower(
  document: WorkflowDocument,
  place: Place,
): { id: string | null; connections: Connection[] } {
  const { connections } = document
  if (place.at === 'start') return { id: document.start, connections }
  const from = requireActivity(document, place.id)
  const outcome = place.at === 'after' ? 'done' : place.outcome
  if (place.at === 'after' && !hasNext(from)) {
    throw new OperationError('operation.nothing_follows', { step: from.id })
  }
  if (!outcomesOf(from).some(({ name }) => name === outcome)) {
    throw new OperationError('operation.unknown_outcome', { step: from.id, outcome })
  }
  const leading = connections.find(
    (connection) => connection.from === from.id && connection.outcome === outcome,
  )
  return { id: leading?.to ?? null, connections: connections.filter((connection) => connection !== leading) }
}

/** Takes a step out of its chain, with its bodies; what came before it leads to what comes after. */
export function detach(document: WorkflowDocument, id: string): WorkflowDocument {
  const incoming = document.connections.find(({ to }) => to === id)
  const outgoing = document.connections.find(({ from, outcome }) => from === id && outcome === 'done')
  const connections = document.connections.filter(
    (connection) => connection !== incoming && connection !== outgoing,
  )
  if (incoming && outgoing) connections.push({ ...incoming, to: outgoing.to })
  const start = document.start === id ? (outgoing?.to ?? null) : document.start
  return { ...document, connections, start }
}

/** An id that is free, made from a wish: `click`, then `click_2`, `click_3` … */
export function freeId(taken: ReadonlySet<string>, wish: string): string {
  const base =
    wish
      .toLowerCase()
      .replace(/[^a-z0-9_]+/g, '_')
      .replace(/^[^a-z]+/, '')
      .replace(/_\d+$/, '')
      .slice(0, 40) || 'step'
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}_${number}`
    if (!taken.has(id) && activityIdSchema.safeParse(id).success) return id
  }
}

/** An id for a new step of a type. */
export function freeIdFor(document: WorkflowDocument, type: string): string {
  return freeId(new Set(document.activities.map(({ id }) => id)), type)
}
