import type { z } from 'zod'
import type { TestScope } from '@weft/contract/test-runs/schema'
import type { problemSchema } from '@weft/contract/workflows/schema'
import { callOf } from '@weft/workflow/calls'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
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

/** How deep called documents are looked into; deeper calls are refused by the interpreter. */
const CALLS_DEEP = 8

/** The steps of a part that cannot be taken back, by id; a call of a document that holds any counts as one. */
export function irreversibleSteps(
  document: WorkflowDocument,
  scope: TestScope,
  pinned: ReadonlySet<string>,
  findWorkflow: FindWorkflow,
): string[] {
  return stepsOfPart(document, scope, pinned)
    .filter((step) => isIrreversible(step, findWorkflow, CALLS_DEEP))
    .map(({ id }) => id)
}

function isIrreversible(step: Activity, findWorkflow: FindWorkflow, deep: number): boolean {
  const call = callOf(step)
  if (!call) return irreversibleAmong([step]).length > 0
  const called = deep > 0 ? findWorkflow(call.id, call.number) : undefined
  return (
    called !== undefined &&
    stepsOfPart(called, { kind: 'whole' }).some((inner) => isIrreversible(inner, findWorkflow, deep - 1))
  )
}
