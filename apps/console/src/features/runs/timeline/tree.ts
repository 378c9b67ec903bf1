import type { RunStep } from '@weft/contract/runs/schema'

/** A step that ran, with the steps that ran within it. */
export interface StepNode {
  /** Unique among the run's steps: attempts at one place share a path. */
  key: string
  step: RunStep
  groups: StepGroup[]
}

/** Steps of one body of a container: a branch, or one round of a loop. */
export interface StepGroup {
  key: string
  outcome: string
  /** Which round, counted from 0; null where the body is no loop's. */
  round: number | null
  nodes: StepNode[]
}

/** Where a step stands: the container around it and which of its bodies; null at the top of the workflow. */
export interface Place {
  container: string
  outcome: string
  round: number | null
}

/**
 * Reads where a step stands out of its path. `loop:body[2]/ask:true/click` is the step `click` in the body `true` of
 * `loop:body[2]/ask`; `call>click` is the first level of the workflow that the step `call` runs.
 */
export function placeOf(path: string): Place | null {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('>'))
  if (at < 0) return null
  const head = path.slice(0, at)
  if (path[at] === '>') return { container: head, outcome: 'call', round: null }
  const segment = Math.max(head.lastIndexOf('/'), head.lastIndexOf('>')) + 1
  const colon = head.indexOf(':', segment)
  if (colon < 0) return { container: head, outcome: '', round: null }
  const body = /^(.*?)(?:\[(\d+)\])?$/.exec(head.slice(colon + 1))
  const round = body?.[2]
  return {
    container: head.slice(0, colon),
    outcome: body?.[1] ?? '',
    round: round === undefined ? null : Number(round),
  }
}

/** Nests a run's steps, which come in the order in which they began. One whose container is unknown stands on top. */
export function stepTree(steps: readonly RunStep[]): StepNode[] {
  const roots: StepNode[] = []
  const latest = new Map<string, StepNode>()
  for (const [index, step] of steps.entries()) {
    const node: StepNode = { key: `${index}`, step, groups: [] }
    const place = placeOf(step.path)
    const container = place ? latest.get(place.container) : undefined
    if (place && container) groupOf(container, place).nodes.push(node)
    else roots.push(node)
    latest.set(step.path, node)
  }
  return roots
}

function groupOf(container: StepNode, place: Place): StepGroup {
  const key = `${place.outcome}[${place.round ?? ''}]`
  const found = container.groups.find((group) => group.key === key)
  if (found) return found
  const made: StepGroup = { key, outcome: place.outcome, round: place.round, nodes: [] }
  container.groups.push(made)
  return made
}

/** Whether something within wants to be seen: a failure, or what runs now. */
export function isNotable(node: StepNode): boolean {
  if (node.step.state === 'failed' || node.step.state === 'running') return true
  return node.groups.some((group) => group.nodes.some(isNotable))
}

/** How many steps stand within, at any depth. */
export function countWithin(node: StepNode): number {
  return node.groups.reduce(
    (sum, group) => sum + group.nodes.reduce((inner, child) => inner + 1 + countWithin(child), 0),
    0,
  )
}
