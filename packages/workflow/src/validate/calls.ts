import { callsIn } from '../calls.ts'
import type { PlacedCall } from '../calls.ts'
import type { WorkflowDocument } from '../document.ts'
import { checkExpressions, PROJECT_NAME_CODES } from './expressions.ts'
import type { ProjectNames } from './expressions.ts'
import { problem } from './problem.ts'
import type { Problem } from './problem.ts'

/** Finds the document of another workflow, where it is at hand. */
export type FindWorkflow = (workflowId: string, release: number | null) => WorkflowDocument | undefined

/** The parameters of a version of a custom activity, where they are at hand. */
export type FindParameters = (
  activityId: string,
  version: number | null,
) => readonly { name: string; required: boolean; default?: unknown }[] | undefined

const WORDS = {
  workflow: {
    field: 'workflowId',
    unknown: 'workflow.call_unknown',
    cycle: 'workflow.call_cycle',
    unknownInput: 'workflow.call_unknown_input',
    missingInput: 'workflow.call_missing_input',
  },
  activity: {
    field: 'activityId',
    unknown: 'workflow.custom_unknown',
    cycle: 'workflow.custom_cycle',
    unknownInput: 'workflow.parameter_unknown',
    missingInput: 'workflow.parameter_missing',
  },
} as const

/** Checks that called workflows and custom activities exist, get the inputs they need, and do not lead back to a workflow that is being run. */
export function checkCalls(
  document: WorkflowDocument,
  options: {
    findWorkflow?: FindWorkflow
    findParameters?: FindParameters
    workflowId?: string
    project?: ProjectNames
  },
): Problem[] {
  const { findWorkflow: find, findParameters, workflowId: selfId, project } = options
  return callsIn(document).flatMap((call) => {
    const words = WORDS[call.kind]
    const { field } = words
    const place = { path: `activities.${call.index}.state.${field}`, stepId: call.stepId, field }
    const { id } = call
    const cycle = findCycle(id, call.number, find, selfId === undefined ? [] : [selfId])
    if (cycle) return [problem(words.cycle, place, { [field]: id, path: cycle.join(' > ') })]
    const called = find?.(id, call.number)
    if (find && !called) return [problem(words.unknown, place, { [field]: id })]
    const inputs =
      called?.inputs ?? (call.kind === 'activity' ? findParameters?.(id, call.number) : undefined)
    const given = inputs ? checkGiven(call, inputs) : []
    if (!called) return given
    // A called workflow reads the values of the project that the run belongs to.
    const absent = checkExpressions(called, project).filter(({ code }) => PROJECT_NAME_CODES.includes(code))
    return [
      ...[...new Set(absent.map(({ params }) => String(params['name'])))].map((name) =>
        problem('workflow.call_missing_project_name', place, { name }),
      ),
      ...given,
    ]
  })
}

/** What a call gives that is not asked for, and what it leaves out. */
function checkGiven(call: PlacedCall, inputs: NonNullable<ReturnType<FindParameters>>): Problem[] {
  const words = WORDS[call.kind]
  const place = {
    path: `activities.${call.index}.state.inputs`,
    stepId: call.stepId,
    field: 'inputs',
  }
  const unknown = call.given.filter((name) => !inputs.some((input) => input.name === name))
  return [
    ...unknown.map((name) => problem(words.unknownInput, place, { name })),
    ...missingOf(inputs, call.given).map((name) =>
      // The form of a custom activity has a control for each parameter.
      problem(words.missingInput, call.kind === 'activity' ? { ...place, field: `inputs.${name}` } : place, {
        name,
      }),
    ),
  ]
}

/** The names of what is required, has no default and is not given. */
export function missingOf(
  inputs: NonNullable<ReturnType<FindParameters>>,
  given: readonly string[],
): string[] {
  return inputs
    .filter((input) => input.required && (input.default ?? null) === null && !given.includes(input.name))
    .map(({ name }) => name)
}

/** The way round, where calls come back to a workflow that they began in. */
function findCycle(
  workflowId: string,
  release: number | null,
  find: FindWorkflow | undefined,
  trail: string[],
  done: Set<string> = new Set(),
): string[] | undefined {
  if (trail.includes(workflowId)) return [...trail.slice(trail.indexOf(workflowId)), workflowId]
  if (done.has(workflowId)) return undefined
  done.add(workflowId)
  const document = find?.(workflowId, release)
  for (const call of document ? callsIn(document) : []) {
    const cycle = findCycle(call.id, call.number, find, [...trail, workflowId], done)
    if (cycle) return cycle
  }
  return undefined
}
