import type { WorkflowDocument } from '../document.ts'
import { isJsonObject } from '../json.ts'
import { checkExpressions, PROJECT_NAME_CODES } from './expressions.ts'
import type { ProjectNames } from './expressions.ts'
import { problem } from './problem.ts'
import type { Problem } from './problem.ts'

/** Finds the document of another workflow, where it is at hand. */
export type FindWorkflow = (workflowId: string, release: number | null) => WorkflowDocument | undefined

interface Call {
  workflowId: string
  release: number | null
  given: string[]
  index: number
  stepId: string
}

function callsOf({ activities }: WorkflowDocument): Call[] {
  return activities.flatMap(({ type, state, id, disabled }, index) => {
    const { workflowId, release, inputs } = state
    if (type !== 'call-workflow' || disabled || typeof workflowId !== 'string' || workflowId === '') return []
    const given = Array.isArray(inputs)
      ? inputs.flatMap((row) => (isJsonObject(row) && typeof row['name'] === 'string' ? [row['name']] : []))
      : []
    return [{ workflowId, release: typeof release === 'number' ? release : null, given, index, stepId: id }]
  })
}

/** Checks that called workflows exist, get the inputs they need, and do not lead back to a workflow that is being run. */
export function checkCalls(
  document: WorkflowDocument,
  options: { findWorkflow?: FindWorkflow; workflowId?: string; project?: ProjectNames },
): Problem[] {
  const { findWorkflow: find, workflowId: selfId, project } = options
  return callsOf(document).flatMap((call) => {
    const place = {
      path: `activities.${call.index}.state.workflowId`,
      stepId: call.stepId,
      field: 'workflowId',
    }
    const { workflowId } = call
    const cycle = findCycle(workflowId, call.release, find, selfId === undefined ? [] : [selfId])
    if (cycle) return [problem('workflow.call_cycle', place, { workflowId, path: cycle.join(' > ') })]
    if (!find) return []
    const called = find(workflowId, call.release)
    if (!called) return [problem('workflow.call_unknown', place, { workflowId })]
    const inputsPlace = { ...place, path: `activities.${call.index}.state.inputs`, field: 'inputs' }
    const unknown = call.given.filter((name) => !called.inputs.some((input) => input.name === name))
    const missing = called.inputs.filter(
      (input) => input.required && (input.default ?? null) === null && !call.given.includes(input.name),
    )
    // A called workflow reads the values of the project that the run belongs to.
    const absent = checkExpressions(called, project).filter(({ code }) => PROJECT_NAME_CODES.includes(code))
    return [
      ...[...new Set(absent.map(({ params }) => String(params['name'])))].map((name) =>
        problem('workflow.call_missing_project_name', place, { name }),
      ),
      ...unknown.map((name) => problem('workflow.call_unknown_input', inputsPlace, { name })),
      ...missing.map(({ name }) => problem('workflow.call_missing_input', inputsPlace, { name })),
    ]
  })
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
  for (const call of document ? callsOf(document) : []) {
    const cycle = findCycle(call.workflowId, call.release, find, [...trail, workflowId], done)
    if (cycle) return cycle
  }
  return undefined
}
