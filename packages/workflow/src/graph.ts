import { outcomesOf } from './catalogue/catalogue.ts'
import type { Activity, Connection, WorkflowDocument } from './document.ts'

/** A document's activities and connections, found by id. */
export interface Graph {
  readonly start: string | null
  readonly byId: ReadonlyMap<string, Activity>
  /** What an outcome leads to. */
  next(id: string, outcome: string): string | undefined
  /** The connection by which an activity is reached; the start has none. */
  incoming(id: string): Connection | undefined
}

/** What the order of a document's steps depends on. */
export type Steps = Pick<WorkflowDocument, 'start' | 'activities' | 'connections'>

const outcomeKey = (id: string, outcome: string) => `${id}\n${outcome}`

/** Documents and steps are values: operations make new ones. So what was found out of one stays true. */
const graphs = new WeakMap<Steps, Graph>()
const outcomeNames = new WeakMap<Activity, ReadonlySet<string>>()

/**
 * Indexes a document, each one once. Of several connections for one place the first counts, and one by an outcome that
 * its step has no more does not; `validate` reports the others.
 */
export function indexGraph(document: Steps): Graph {
  const known = graphs.get(document)
  if (known) return known
  const graph = index(document)
  graphs.set(document, graph)
  return graph
}

function namesOf(activity: Activity): ReadonlySet<string> {
  const known = outcomeNames.get(activity)
  if (known) return known
  const names = new Set(outcomesOf(activity).map(({ name }) => name))
  outcomeNames.set(activity, names)
  return names
}

function index(document: Steps): Graph {
  const byId = new Map<string, Activity>()
  for (const activity of document.activities) {
    if (!byId.has(activity.id)) byId.set(activity.id, activity)
  }
  const forward = new Map<string, string>()
  const backward = new Map<string, Connection>()
  for (const connection of document.connections) {
    const from = byId.get(connection.from)
    if (!from || !byId.has(connection.to) || !namesOf(from).has(connection.outcome)) continue
    const key = outcomeKey(connection.from, connection.outcome)
    if (forward.has(key) || backward.has(connection.to)) continue
    forward.set(key, connection.to)
    backward.set(connection.to, connection)
  }
  return {
    start: document.start !== null && byId.has(document.start) ? document.start : null,
    byId,
    next: (id, outcome) => forward.get(outcomeKey(id, outcome)),
    incoming: (id) => backward.get(id),
  }
}

/** The activities of the chain that begins at `id`, not those in bodies. Ends where a broken document comes back. */
export function chainFrom(graph: Graph, id: string | undefined): Activity[] {
  const chain: Activity[] = []
  const seen = new Set<string>()
  for (let at = id; at !== undefined && !seen.has(at); at = graph.next(at, 'done')) {
    const activity = graph.byId.get(at)
    if (!activity) break
    seen.add(at)
    chain.push(activity)
  }
  return chain
}

/** An activity and everything in its bodies, in the order of the outline. */
export function subtreeOf(graph: Graph, id: string): Activity[] {
  const found = new Map<string, Activity>()
  const visit = (activity: Activity) => {
    if (found.has(activity.id)) return
    found.set(activity.id, activity)
    for (const outcome of outcomesOf(activity)) {
      if (outcome.kind !== 'body') continue
      for (const inner of chainFrom(graph, graph.next(activity.id, outcome.name))) visit(inner)
    }
  }
  const root = graph.byId.get(id)
  if (root) visit(root)
  return [...found.values()]
}

/** A container that an activity lies in, and the body. */
export interface Enclosing {
  container: Activity
  outcome: string
}

/** The containers around an activity, the outermost first. */
export function enclosing(graph: Graph, id: string): Enclosing[] {
  const around: Enclosing[] = []
  const seen = new Set<string>([id])
  for (let at = graph.incoming(id); at && !seen.has(at.from); at = graph.incoming(at.from)) {
    seen.add(at.from)
    const container = graph.byId.get(at.from)
    if (container && at.outcome !== 'done') around.unshift({ container, outcome: at.outcome })
  }
  return around
}
