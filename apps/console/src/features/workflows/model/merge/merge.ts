import type { WorkflowDocument } from '@weft/workflow/document'
import { apply, freeIdFor } from '@weft/workflow/operations'
import { outlineOf } from '@weft/workflow/outline'
import { connect } from './chains.ts'
import type { Choices, Conflict, Merge, Side } from './conflict.ts'
import { mergeNamed, mergeSettings } from './named.ts'
import { mergeOrder, orderOf } from './order.ts'
import { same } from './same.ts'
import { mergeSteps, sided } from './steps.ts'

/** A document and what two people made of it. */
export interface Versions {
  base: WorkflowDocument
  mine: WorkflowDocument
  theirs: WorkflowDocument
}

/**
 * Merges two descendants of a document, step by step. What only one side changed is taken from it; what both changed in
 * different ways is a conflict, where `choices` decides and mine holds until then. Nothing is dropped without a conflict. A choice may bring up a further one:
 * a step that comes back must stand somewhere.
 */
export function mergeDocuments(versions: Versions, choices: Choices = {}): Merge {
  const { base, theirs } = versions
  const mine = withOwnIds(versions)
  const [b, m, t] = [sided(base), sided(mine), sided(theirs)]
  const inputs = mergeNamed(
    { base: base.inputs, mine: mine.inputs, theirs: theirs.inputs, choices },
    (name, own, other) => ({ kind: 'input', key: `input:${name}`, name, mine: own, theirs: other }),
  )
  const variables = mergeNamed(
    { base: base.variables, mine: mine.variables, theirs: theirs.variables, choices },
    (name, own, other) => ({ kind: 'variable', key: `variable:${name}`, name, mine: own, theirs: other }),
  )
  const settings = mergeSettings(base.settings, mine.settings, theirs.settings, choices)
  const steps = mergeSteps(b, m, t, choices)
  const conflicts: Conflict[] = [
    ...steps.conflicts,
    ...inputs.conflicts,
    ...variables.conflicts,
    ...settings.conflicts,
  ]
  const rest = {
    schemaVersion: mine.schemaVersion,
    inputs: inputs.list,
    variables: variables.list,
    settings: settings.settings,
  }
  const order = mergeOrder(b, m, t, steps.kept)
  const merged = order && {
    ...rest,
    ...connect(order),
    activities: [...steps.kept.values()],
  }
  if (merged && isWhole(merged, [mine, theirs])) return { document: merged, conflicts }

  // Both arranged the same steps differently: the arrangement of one side is taken whole, with the steps it has.
  const side = choices['order'] === 'theirs' ? t : m
  const activities = [...steps.kept.values()].filter(({ id }) => side.byId.has(id))
  const kept = new Map(activities.map((activity) => [activity.id, activity]))
  return {
    document: { ...rest, ...connect(orderOf(side, kept)), activities },
    conflicts: [{ kind: 'order', key: 'order', mine, theirs }, ...conflicts],
  }
}

/** The choices that take one side in every conflict, also in those which the choices themselves bring up. */
export function choicesFor(side: Side, versions: Versions): Choices {
  let choices: Choices = {}
  for (;;) {
    const open = mergeDocuments(versions, choices).conflicts.filter(({ key }) => choices[key] === undefined)
    if (open.length === 0) return choices
    choices = { ...choices, ...Object.fromEntries(open.map(({ key }) => [key, side])) }
  }
}

const looseIn = (document: WorkflowDocument): Set<string> =>
  new Set(
    outlineOf(document).flatMap((row) => (row.kind === 'step' && row.unreachable ? [row.activity.id] : [])),
  )

/** Whether merging made no step unreachable that could be reached on both sides. */
function isWhole(merged: WorkflowDocument, sides: WorkflowDocument[]): boolean {
  const before = sides.map(looseIn)
  return [...looseIn(merged)].every((id) => before.some((loose) => loose.has(id)))
}

/** Both may have added different steps that got the same id by themselves; then mine get another. */
function withOwnIds(versions: Versions): WorkflowDocument {
  const { base, mine, theirs } = versions
  const find = (document: WorkflowDocument, id: string) => document.activities.find((step) => step.id === id)
  return mine.activities.reduce((at, step) => {
    const other = find(theirs, step.id)
    if (!other || find(base, step.id) || same(step, other)) return at
    const all = { ...at, activities: [...at.activities, ...theirs.activities] }
    return apply(at, { kind: 'renameActivity', id: step.id, newId: freeIdFor(all, step.id) })
  }, mine)
}
