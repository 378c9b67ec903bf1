import { outcomesOf } from '../catalogue/catalogue.ts'
import { DOCUMENT_LIMITS } from '../document.ts'
import type { Connection, WorkflowDocument } from '../document.ts'
import { byteLength } from '../json.ts'
import { outlineOf } from '../outline.ts'
import { problem } from './problem.ts'
import type { Problem } from './problem.ts'

/** Checks ids, connections, reachability and depth: what makes the document a tree. */
export function checkStructure(document: WorkflowDocument): Problem[] {
  return [
    ...checkSize(document),
    ...checkIds(document),
    ...checkStart(document),
    ...checkConnections(document),
    ...checkReach(document),
  ]
}

function checkSize(document: WorkflowDocument): Problem[] {
  const bytes = byteLength(JSON.stringify(document))
  const max = DOCUMENT_LIMITS.bytes
  return bytes > max ? [problem('workflow.too_large', { path: '' }, { bytes, max })] : []
}

function checkIds({ activities }: WorkflowDocument): Problem[] {
  const seen = new Set<string>()
  return activities.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [problem('workflow.duplicate_id', { path: `activities.${index}.id`, stepId: id }, { step: id })]
  })
}

function checkStart({ start, activities, connections }: WorkflowDocument): Problem[] {
  if (activities.length === 0) return [problem('workflow.empty', { path: 'activities' })]
  if (start === null || !activities.some(({ id }) => id === start)) {
    return [problem('workflow.start_missing', { path: 'start' }, { step: start })]
  }
  if (connections.some(({ to }) => to === start)) {
    return [problem('workflow.start_has_incoming', { path: 'start', stepId: start }, { step: start })]
  }
  return []
}

function checkConnections({ activities, connections }: WorkflowDocument): Problem[] {
  const byId = new Map(activities.map((activity) => [activity.id, activity]))
  const usedOutcomes = new Set<string>()
  const reached = new Set<string>()
  return connections.flatMap((connection, index) => {
    const path = `connections.${index}`
    const { from, outcome, to } = connection
    const missing = [from, to].find((id) => !byId.has(id))
    if (missing !== undefined) {
      return [problem('workflow.connection_unknown_step', { path }, { step: missing })]
    }
    const problems: Problem[] = []
    const source = byId.get(from)
    if (source && !outcomesOf(source).some(({ name }) => name === outcome)) {
      problems.push(
        problem('workflow.connection_unknown_outcome', { path, stepId: from }, { step: from, outcome }),
      )
    }
    const key = `${from}\n${outcome}`
    if (usedOutcomes.has(key)) {
      problems.push(problem('workflow.outcome_twice', { path, stepId: from }, { step: from, outcome }))
    }
    if (reached.has(to)) problems.push(problem('workflow.joined', { path, stepId: to }, { step: to }))
    usedOutcomes.add(key)
    reached.add(to)
    return problems
  })
}

/** Steps that lie on a circle of connections. */
function stepsOnCycles(connections: Connection[]): Set<string> {
  const next = new Map<string, string[]>()
  for (const { from, to } of connections) next.set(from, [...(next.get(from) ?? []), to])
  const state = new Map<string, 'open' | 'done'>()
  const onCycle = new Set<string>()
  for (const first of next.keys()) {
    if (state.has(first)) continue
    const trail: { id: string; rest: string[] }[] = [{ id: first, rest: [...(next.get(first) ?? [])] }]
    state.set(first, 'open')
    for (let top = trail.at(-1); top; top = trail.at(-1)) {
      const to = top.rest.pop()
      if (to === undefined) {
        state.set(top.id, 'done')
        trail.pop()
      } else if (state.get(to) === 'open') {
        trail.slice(trail.findIndex(({ id }) => id === to)).forEach(({ id }) => onCycle.add(id))
      } else if (!state.has(to)) {
        state.set(to, 'open')
        trail.push({ id: to, rest: [...(next.get(to) ?? [])] })
      }
    }
  }
  return onCycle
}

/** Of a question the answer alone may be wanted, of a failure that it is caught; a loop, a branch or a `try` without steps does nothing. */
const MAY_BE_EMPTY = new Set(['catch', 'finally', 'true', 'false', 'default', 'answered', 'timedOut'])

function checkReach(document: WorkflowDocument): Problem[] {
  const onCycle = stepsOnCycles(document.connections)
  const indexOf = new Map(document.activities.map(({ id }, index) => [id, index]))
  const problems: Problem[] = []
  for (const row of outlineOf(document)) {
    const stepId = row.kind === 'step' ? row.activity.id : row.owner.id
    const path = `activities.${indexOf.get(stepId) ?? 0}`
    const place = { path, stepId }
    if (row.kind === 'outcome') {
      const mayBeEmpty = MAY_BE_EMPTY.has(row.outcome.name)
      if (row.empty && !mayBeEmpty) {
        problems.push(problem('workflow.empty_body', place, { step: stepId, outcome: row.outcome.name }))
      }
      continue
    }
    if (onCycle.has(stepId)) problems.push(problem('workflow.cycle', place, { step: stepId }))
    else if (row.unreachable) problems.push(problem('workflow.unreachable', place, { step: stepId }))
    if (row.depth / 2 > DOCUMENT_LIMITS.nesting) {
      problems.push(problem('workflow.too_deep', place, { step: stepId, max: DOCUMENT_LIMITS.nesting }))
    }
  }
  return problems
}
