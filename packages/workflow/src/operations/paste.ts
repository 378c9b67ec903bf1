import { z } from 'zod'
import { activityIdSchema, activitySchema, connectionSchema, DOCUMENT_LIMITS } from '../document.ts'
import type { Activity, WorkflowDocument } from '../document.ts'
import { findJsonProblem } from '../json.ts'
import { indexGraph, subtreeOf } from '../graph.ts'
import { stepsInOrder } from '../outline.ts'
import { OperationError } from './error.ts'
import { withRenamedReferences } from './references.ts'
import { freeId, insertChain, requireActivity, withActivities } from './tree.ts'
import type { Place } from './tree.ts'

/** Steps on their way through the clipboard: whole subtrees, and their heads in order. */
export const fragmentSchema = z.strictObject({
  weft: z.literal('fragment'),
  heads: z.array(activityIdSchema).min(1),
  activities: z.array(activitySchema).max(DOCUMENT_LIMITS.activities),
  connections: z.array(connectionSchema),
})
/** Steps on their way through the clipboard. */
export type Fragment = z.infer<typeof fragmentSchema>

/** Copies steps with their bodies. A step that lies in another copied one goes with it. */
export function copyActivities(document: WorkflowDocument, ids: string[]): Fragment {
  const graph = indexGraph(document)
  const wanted = new Set(ids.map((id) => requireActivity(document, id).id))
  const taken = new Map<string, Activity>()
  const heads: string[] = []
  for (const { id } of stepsInOrder(document)) {
    if (!wanted.has(id) || taken.has(id)) continue
    heads.push(id)
    for (const activity of subtreeOf(graph, id)) taken.set(activity.id, activity)
  }
  if (heads.length === 0) throw new OperationError('operation.empty_fragment')
  const isHead = new Set(heads)
  return structuredClone({
    weft: 'fragment',
    heads,
    activities: [...taken.values()],
    // A line by an outcome that its step has no more stays behind: where it led to has become a head of its own.
    connections: document.connections.filter(
      (line) =>
        taken.has(line.from) &&
        graph.incoming(line.to) === line &&
        taken.has(line.to) &&
        !(isHead.has(line.from) && line.outcome === 'done'),
    ),
  })
}

/** Reads a fragment from a clipboard; null where it holds something else. */
export function readFragment(text: string): Fragment | null {
  try {
    const value: unknown = JSON.parse(text)
    if (findJsonProblem(value, DOCUMENT_LIMITS.depth)) return null
    return fragmentSchema.safeParse(value).data ?? null
  } catch {
    return null
  }
}

/** Puts copied steps at a place, one after another, under ids that are free; references among them follow. */
export interface Paste {
  kind: 'paste'
  fragment: Fragment
  place: Place
}

/** Puts copied steps at a place, one after another, under ids that are free; references among them follow. */
export function paste(document: WorkflowDocument, { fragment, place }: Paste): WorkflowDocument {
  const taken = new Set(document.activities.map(({ id }) => id))
  const names = new Map<string, string>()
  for (const { id } of fragment.activities) {
    // Where nothing stands in its way a step keeps its id, so that what names it from afar still means it.
    const fresh = taken.has(id) ? freeId(taken, id) : id
    taken.add(fresh)
    names.set(id, fresh)
  }
  const renamed = (id: string) => names.get(id) ?? id
  const heads = fragment.heads.map(renamed)
  const [head] = heads
  const tail = heads.at(-1)
  if (head === undefined || tail === undefined) throw new OperationError('operation.empty_fragment')
  const activities = fragment.activities.map((activity) => {
    const { position: _position, ...rest } = withRenamedReferences(activity, names)
    return { ...rest, id: renamed(activity.id) }
  })
  const connections = fragment.connections.map(({ from, outcome, to }) => ({
    from: renamed(from),
    outcome,
    to: renamed(to),
  }))
  for (const [index, from] of heads.slice(0, -1).entries()) {
    connections.push({ from, outcome: 'done', to: heads[index + 1] ?? tail })
  }
  const added = withActivities(document, activities)
  return insertChain({ ...added, connections: [...added.connections, ...connections] }, head, tail, place)
}

/** Puts a copy of a step, with its bodies, after it. */
export interface DuplicateActivity {
  kind: 'duplicateActivity'
  id: string
}

/** Puts a copy of a step, with its bodies, after it. */
export function duplicateActivity(document: WorkflowDocument, { id }: DuplicateActivity): WorkflowDocument {
  return paste(document, {
    kind: 'paste',
    fragment: copyActivities(document, [id]),
    place: { at: 'after', id },
  })
}
