import { definitionOf } from '../catalogue/catalogue.ts'
import type { Activity, WorkflowDocument } from '../document.ts'
import { findReferences } from '../expressions.ts'
import type { Reference } from '../expressions.ts'
import { enclosing, indexGraph } from '../graph.ts'
import type { Graph } from '../graph.ts'
import { stepsInOrder } from '../outline.ts'
import { readState } from '../state-values.ts'
import type { DynamicValue } from '../state-values.ts'
import { problem } from './problem.ts'
import type { Problem, ProblemCode } from './problem.ts'

/** What an item of a campaign may bind. */
export const itemNames = [
  'account',
  'profile',
  'proxy',
  'phone',
  'video',
  'client',
  'campaign',
  'seq',
] as const

/** The expressions of a value of a state. */
export function expressionsIn({ source }: DynamicValue): string[] {
  if (source.kind === 'expression') return [source.expression]
  return source.parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : []))
}

/** What is wrong with a name that the project does not have. */
export const PROJECT_NAME_CODES: readonly ProblemCode[] = [
  'expression.unknown_project_variable',
  'expression.unknown_secret',
]

/** The names that a workflow's project gives to its expressions. */
export interface ProjectNames {
  variables: readonly string[]
  secrets: readonly string[]
}

interface Known {
  project: ProjectNames | undefined
  inputs: ReadonlySet<string>
  variables: ReadonlySet<string>
  graph: Graph
  order: ReadonlyMap<string, number>
}

/** Checks what the expressions of every step refer to. */
export function checkExpressions(document: WorkflowDocument, project?: ProjectNames): Problem[] {
  const known = knownIn(document, project)
  return document.activities.flatMap((activity, index) => {
    const definition = definitionOf(activity.type)
    if (!definition) return []
    const read = readState(definition.fields, activity.state)
    const place = (field: string) => ({
      path: `activities.${index}.state.${field}`,
      stepId: activity.id,
      field,
    })
    const broken = read.broken.map(({ code, path }) => problem(code, place(path)))
    const wrong = read.dynamic.flatMap((value) =>
      expressionsIn(value).flatMap((expression) =>
        checkExpression(expression, activity, known).map(([code, params]) =>
          problem(code, place(value.path), { ...params, expression: expression.slice(0, 200) }),
        ),
      ),
    )
    return [...broken, ...wrong]
  })
}

function knownIn(document: WorkflowDocument, project: ProjectNames | undefined): Known {
  return {
    project,
    inputs: new Set(document.inputs.map(({ name }) => name)),
    variables: new Set(document.variables.map(({ name }) => name)),
    graph: indexGraph(document),
    order: new Map(stepsInOrder(document).map(({ id }, index) => [id, index])),
  }
}

/** Stands for what looks back on a whole run, and is no step of it. */
const AT_END: Activity = { id: '', type: '', typeVersion: 1, state: {} }

/** Checks what somebody refers to who looks back on a whole run: every step is past, and how it failed is known. */
export function checkReferenceAtEnd(
  reference: Reference,
  document: WorkflowDocument,
  project?: ProjectNames,
): Finding[] {
  return checkReference(reference, AT_END, knownIn(document, project)).filter(
    ([code]) => code !== 'expression.step_not_yet' && code !== 'expression.outside_catch',
  )
}

type Finding = [ProblemCode, Problem['params']]

function checkExpression(expression: string, activity: Activity, known: Known): Finding[] {
  const { references, unknownNames } = findReferences(expression)
  return [
    ...unknownNames.map((name): Finding => ['expression.unknown_name', { name }]),
    ...references.flatMap((reference) => checkReference(reference, activity, known)),
  ]
}

function checkReference({ root, path }: Reference, activity: Activity, known: Known): Finding[] {
  const [name] = path
  switch (root) {
    case 'inputs':
      return name === undefined || known.inputs.has(name) ? [] : [['expression.unknown_input', { name }]]
    case 'vars':
      return name === undefined || known.variables.has(name)
        ? []
        : [['expression.unknown_variable', { name }]]
    case 'item':
      return name === undefined || itemNames.some((item) => item === name)
        ? []
        : [['expression.unknown_item', { name }]]
    case 'secrets':
      if (name === undefined) return [['expression.secret_not_fixed', {}]]
      return isMissing(known.project?.secrets, name) ? [['expression.unknown_secret', { name }]] : []
    case 'project':
      return isMissing(known.project?.variables, name)
        ? [['expression.unknown_project_variable', { name: name ?? '' }]]
        : []
    case 'steps':
      return name === undefined ? [] : checkStepReference(name, path[1], activity, known)
    case 'loop': {
      const loops = ['for-each', 'repeat-until']
      const within = enclosing(known.graph, activity.id).some(({ container }) =>
        loops.includes(container.type),
      )
      return within || loops.includes(activity.type) ? [] : [['expression.outside_loop', {}]]
    }
    case 'error': {
      const within = enclosing(known.graph, activity.id).some(({ outcome }) => outcome === 'catch')
      return within ? [] : [['expression.outside_catch', {}]]
    }
    default:
      return []
  }
}

function isMissing(names: readonly string[] | undefined, name: string | undefined): boolean {
  return names !== undefined && name !== undefined && !names.includes(name)
}

function checkStepReference(
  stepId: string,
  output: string | undefined,
  activity: Activity,
  { graph, order }: Known,
): Finding[] {
  const step = graph.byId.get(stepId)
  if (!step) return [['expression.unknown_step', { step: stepId }]]
  const outputs = definitionOf(step.type)?.outputs
  if (output !== undefined && outputs && !outputs.some(({ name }) => name === output)) {
    return [['expression.unknown_output', { step: stepId, output }]]
  }
  const earlier = (order.get(stepId) ?? 0) < (order.get(activity.id) ?? 0)
  // A loop brings what comes later in its body back to what comes earlier, and to its own condition.
  const around = (id: string) => enclosing(graph, id).map(({ container }) => container)
  const loops = [activity, ...around(activity.id)].filter(({ type }) =>
    ['for-each', 'repeat-until'].includes(type),
  )
  const sameLoop = around(stepId).some((container) => loops.includes(container))
  return earlier || sameLoop ? [] : [['expression.step_not_yet', { step: stepId }]]
}
