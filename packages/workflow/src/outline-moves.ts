import { outcomesOf } from './catalogue/catalogue.ts'
import type { Activity, WorkflowDocument } from './document.ts'
import { chainFrom, indexGraph } from './graph.ts'
import type { Graph } from './graph.ts'
import { apply, OperationError } from './operations.ts'
import type { Operation, Place } from './operations.ts'

/*
 * What the keys of the outline editor do to a step. Each gives the operation, or null where there is nowhere to go.
 */

const bodiesOf = (activity: Activity): string[] =>
  outcomesOf(activity).flatMap(({ kind, name }) => (kind === 'body' ? [name] : []))

/** The place at which a step stands; the head of a loose chain stands nowhere. */
function placeOf(graph: Graph, id: string): Place | null {
  const incoming = graph.incoming(id)
  if (!incoming) return id === graph.start ? { at: 'start' } : null
  return incoming.outcome === 'done'
    ? { at: 'after', id: incoming.from }
    : { at: 'into', id: incoming.from, outcome: incoming.outcome }
}

/** The place at the end of a body. */
function endOf(graph: Graph, id: string, outcome: string): Place {
  const last = chainFrom(graph, graph.next(id, outcome)).at(-1)
  return last ? { at: 'after', id: last.id } : { at: 'into', id, outcome }
}

/** The step that a chain begins with. */
function headOf(graph: Graph, id: string): string {
  const seen = new Set<string>()
  let at = id
  for (let line = graph.incoming(at); line?.outcome === 'done' && !seen.has(at); line = graph.incoming(at)) {
    seen.add(at)
    at = line.from
  }
  return at
}

/** The container around a step and the place of its body among the container's. */
function around(
  graph: Graph,
  id: string,
): { container: Activity; bodies: string[]; index: number } | undefined {
  const line = graph.incoming(headOf(graph, id))
  const container = line ? graph.byId.get(line.from) : undefined
  if (!line || !container) return undefined
  const bodies = bodiesOf(container)
  return { container, bodies, index: bodies.indexOf(line.outcome) }
}

/** The move, where it can be done: a `finish`, say, cannot go where something would follow it. */
function move(document: WorkflowDocument, id: string, place: Place | null): Operation | null {
  if (!place) return null
  const operation: Operation = { kind: 'moveActivity', id, place }
  try {
    apply(document, operation)
    return operation
  } catch (error) {
    if (error instanceof OperationError) return null
    throw error
  }
}

/** Up: before the step above; at the top of a body to the end of the body above, or out of the container. */
export function moveUp(document: WorkflowDocument, id: string): Operation | null {
  const graph = indexGraph(document)
  const line = graph.incoming(id)
  if (line?.outcome === 'done') return move(document, id, placeOf(graph, line.from))
  const outer = around(graph, id)
  if (!outer) return null
  const above = outer.bodies[outer.index - 1]
  if (above !== undefined) return move(document, id, endOf(graph, outer.container.id, above))
  return move(document, id, placeOf(graph, outer.container.id))
}

/** Down: after the step below; at the end of a body to the start of the body below, or out of the container. */
export function moveDown(document: WorkflowDocument, id: string): Operation | null {
  const graph = indexGraph(document)
  const below = graph.next(id, 'done')
  if (below !== undefined) return move(document, id, { at: 'after', id: below })
  const outer = around(graph, id)
  if (!outer) return null
  const next = outer.bodies[outer.index + 1]
  if (next !== undefined) return move(document, id, { at: 'into', id: outer.container.id, outcome: next })
  return move(document, id, { at: 'after', id: outer.container.id })
}

/** Indent: to the end of a body of the container just above it (its first body, unless another is named). */
export function indent(document: WorkflowDocument, id: string, outcome?: string): Operation | null {
  const graph = indexGraph(document)
  const line = graph.incoming(id)
  const above = line?.outcome === 'done' ? graph.byId.get(line.from) : undefined
  const bodies = above ? bodiesOf(above) : []
  const body = outcome === undefined ? bodies[0] : bodies.find((name) => name === outcome)
  return above && body !== undefined ? move(document, id, endOf(graph, above.id, body)) : null
}

/** Outdent: out of its container, after it. */
export function outdent(document: WorkflowDocument, id: string): Operation | null {
  const outer = around(indexGraph(document), id)
  return outer ? move(document, id, { at: 'after', id: outer.container.id }) : null
}
