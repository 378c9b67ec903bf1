import type { z } from 'zod'
import type { TestScope } from '@weft/contract/test-runs/schema'
import type { problemSchema } from '@weft/contract/workflows/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import { irreversibleAmong, stepsOfPart, wayTo } from '@weft/workflow/interpret/part'
import type { FindWorkflow } from '@weft/workflow/validate'
import { AppError } from '../../kit/app-error.ts'

type Problem = z.input<typeof problemSchema>

/** What is wrong with a drawing and keeps nobody from running what is drawn. */
const HARMLESS: ReadonlySet<string> = new Set(['workflow.unreachable', 'workflow.connection_unknown_step'])
/** What is about how steps hang together, and so nothing to one step alone. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set([
  'workflow.empty',
  'workflow.start_missing',
  'workflow.start_has_incoming',
  'workflow.connection_unknown_outcome',
  'workflow.outcome_twice',
  'workflow.joined',
  'workflow.cycle',
])

/** Refuses a part that is not there, or whose own step would only be passed over. */
export function checkScope(document: WorkflowDocument, scope: TestScope): void {
  if (scope.kind === 'whole') return
  const { activityId } = scope
  const activity = document.activities.find(({ id }) => id === activityId)
  if (!activity) throw new AppError('testRun.unknown_step', { activity: activityId })
  if (scope.kind === 'step' && activity.disabled)
    throw new AppError('testRun.step_disabled', { activity: activityId })
}

/** The problems that make it impossible to run a part; those elsewhere in a half-written draft hinder nobody. Pure. */
export function hindering(
  document: WorkflowDocument,
  scope: TestScope,
  pinned: ReadonlySet<string>,
  problems: readonly Problem[],
): Problem[] {
  const part = new Set(
    [...stepsOfPart(document, scope, pinned), ...wayTo(document, scope)].map(({ id }) => id),
  )
  return problems.filter(({ severity, code, activityId }) => {
    if (severity !== 'error' || HARMLESS.has(code)) return false
    if (scope.kind !== 'whole' && activityId === null && OF_THE_WHOLE.has(code)) return false
    if (scope.kind === 'step' && OF_THE_WHOLE.has(code)) return false
    return activityId === null || part.has(activityId)
  })
}

/** How deep called workflows are looked into; deeper calls are refused by the interpreter. */
const CALLS_DEEP = 8

/** The steps of a part that cannot be taken back, by id; a call of a workflow that holds any counts as one. */
export function irreversibleSteps(
  document: WorkflowDocument,
  scope: TestScope,
  pinned: ReadonlySet<string>,
  findWorkflow: FindWorkflow,
): string[] {
  const steps = stepsOfPart(document, scope, pinned)
  const direct = new Set(irreversibleAmong(steps).map(({ id }) => id))
  for (const step of steps)
    if (step.type === 'call-workflow' && callIsIrreversible(step.state, findWorkflow, CALLS_DEEP))
      direct.add(step.id)
  return [...direct]
}

function callIsIrreversible(
  { workflowId, release }: Readonly<Record<string, unknown>>,
  findWorkflow: FindWorkflow,
  deep: number,
): boolean {
  if (typeof workflowId !== 'string' || deep === 0) return false
  const called = findWorkflow(workflowId, typeof release === 'number' ? release : null)
  if (!called) return false
  const steps = stepsOfPart(called, { kind: 'whole' })
  return (
    irreversibleAmong(steps).length > 0 ||
    steps.some(
      ({ type, state }) => type === 'call-workflow' && callIsIrreversible(state, findWorkflow, deep - 1),
    )
  )
}
