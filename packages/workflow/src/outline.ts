import { outcomesOf } from './catalogue/catalogue.ts'
import type { Outcome } from './catalogue/activity.ts'
import type { Activity } from './document.ts'
import { chainFrom, indexGraph } from './graph.ts'
import type { Graph, Steps } from './graph.ts'

/** One row of the outline: a step, or the heading of a body (also of an empty one, so that a step can be put there). */
export type OutlineRow =
  | {
      kind: 'step'
      activity: Activity
      depth: number
      /** Not reached from the start; such rows come last. */
      unreachable: boolean
    }
  | {
      kind: 'outcome'
      /** The container that the body belongs to. */
      owner: Activity
      outcome: Outcome
      depth: number
      empty: boolean
      unreachable: boolean
    }

const outlines = new WeakMap<Steps, readonly OutlineRow[]>()

/** Reads a document as an indented list: every step once, in the order in which it is done. */
export function outlineOf(document: Steps): readonly OutlineRow[] {
  const known = outlines.get(document)
  if (known) return known
  const rows = read(document)
  outlines.set(document, rows)
  return rows
}

function read(document: Steps): OutlineRow[] {
  const graph = indexGraph(document)
  const rows: OutlineRow[] = []
  const seen = new Set<string>()
  addChain(graph, rows, seen, graph.start ?? undefined, 0, false)
  const left = document.activities.filter(({ id }) => !seen.has(id))
  // Heads of loose chains first; what then is left lies on a circle and begins anywhere.
  const heads = left.filter(({ id }) => graph.incoming(id) === undefined)
  for (const { id } of [...heads, ...left]) addChain(graph, rows, seen, id, 0, true)
  return rows
}

function addChain(
  graph: Graph,
  rows: OutlineRow[],
  seen: Set<string>,
  first: string | undefined,
  depth: number,
  unreachable: boolean,
): void {
  for (const activity of chainFrom(graph, first)) {
    if (seen.has(activity.id)) return
    seen.add(activity.id)
    rows.push({ kind: 'step', activity, depth, unreachable })
    for (const outcome of outcomesOf(activity)) {
      if (outcome.kind !== 'body') continue
      const inner = graph.next(activity.id, outcome.name)
      const row = { owner: activity, outcome, depth: depth + 1, empty: inner === undefined, unreachable }
      rows.push({ kind: 'outcome', ...row })
      addChain(graph, rows, seen, inner, depth + 2, unreachable)
    }
  }
}

/** The steps of a document in the order of the outline. */
export function stepsInOrder(document: Steps): Activity[] {
  return outlineOf(document).flatMap((row) => (row.kind === 'step' ? [row.activity] : []))
}
