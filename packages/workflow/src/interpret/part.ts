import { definitionOf, sideEffectOf } from '../catalogue/catalogue.ts'
import type { Activity, WorkflowDocument } from '../document.ts'
import { chainFrom, enclosing, indexGraph, subtreeOf } from '../graph.ts'

/** The part of a document that a test run runs. */
export type Part =
  | { kind: 'whole' }
  | { kind: 'step'; activityId: string }
  | { kind: 'from'; activityId: string }

/** Containers of which only the body that the part begins in is entered. */
const DECISIONS: ReadonlySet<string> = new Set(['condition', 'switch', 'parallel', 'ask-person'])

/**
 * Every step that a run of the part may perform: disabled and pinned ones are not among them, nor what lies within. Loops
 * and try/catch around its beginning count as a whole, since later rounds and failures come by everything in them.
 */
export function stepsOfPart(
  document: WorkflowDocument,
  part: Part,
  pinned: ReadonlySet<string> = new Set(),
): Activity[] {
  const graph = indexGraph(document)
  const found = new Map<string, Activity>()
  const passedOver = (activity: Activity) => activity.disabled === true || pinned.has(activity.id)
  const take = (root: Activity) => {
    const skipped = new Set<string>()
    for (const activity of subtreeOf(graph, root.id)) {
      if (skipped.has(activity.id)) continue
      if (passedOver(activity)) for (const inner of subtreeOf(graph, activity.id)) skipped.add(inner.id)
      else found.set(activity.id, activity)
    }
  }
  const takeChain = (id: string | undefined) => {
    for (const activity of chainFrom(graph, id)) take(activity)
  }
  if (part.kind === 'whole') {
    takeChain(graph.start ?? undefined)
    return [...found.values()]
  }
  const first = graph.byId.get(part.activityId)
  if (!first) return []
  if (part.kind === 'step') {
    take(first)
    return [...found.values()]
  }
  takeChain(first.id)
  for (const { container } of enclosing(graph, first.id)) {
    if (!DECISIONS.has(container.type)) take(container)
    takeChain(graph.next(container.id, 'done'))
  }
  return [...found.values()]
}

/** The containers that a run of the part passes on its way in: their own fields are evaluated too. */
export function wayTo(document: WorkflowDocument, part: Part): Activity[] {
  if (part.kind === 'whole') return []
  return enclosing(indexGraph(document), part.activityId).map(({ container }) => container)
}

/** Those that cannot be taken back. Called workflows are the caller's to look into. */
export function irreversibleAmong(steps: readonly Activity[]): Activity[] {
  return steps.filter((activity) => sideEffectOf(activity) === 'irreversible')
}

/** What has no output to stand in for it, or does more than give one: setting a variable, finishing, leading into bodies. */
export function isPinnable(activity: Activity): boolean {
  const definition = definitionOf(activity.type)
  if (!definition || activity.type === 'set-variable' || activity.type === 'finish') return false
  return definition.outcomes(activity.state).every(({ kind }) => kind !== 'body')
}
