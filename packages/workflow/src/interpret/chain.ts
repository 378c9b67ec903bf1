import type { ActivityDefinition } from '../catalogue/activity.ts'
import { definitionOf, sideEffectOf } from '../catalogue/catalogue.ts'
import type { Activity } from '../document.ts'
import { StepError, toStepError } from '../errors.ts'
import { isJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { callDocument } from './call.ts'
import type { ContainerEnd, Control } from './container.ts'
import { controls } from './control.ts'
import { Finished } from './finished.ts'
import { resolveState } from './resolve.ts'
import { tell } from './run.ts'
import type { Frame, Resume, Run } from './run.ts'
import { throwIfStopped, withinLimit } from './signals.ts'
import { runStep } from './step.ts'

/** Runs the steps of a chain one after another until it ends. */
export async function runChain(run: Run, first: string | undefined, frame: Frame): Promise<void> {
  let resume = frame.resume
  let id = resume ? (resume.segments[0]?.stepId ?? resume.stepId) : first
  const inside = { ...frame, resume: null }
  while (id !== undefined) {
    const activity = run.graph.byId.get(id)
    if (!activity)
      throw new StepError('WorkflowInvalid', `There is no step "${id}".`, { params: { step: id } })
    try {
      await runActivity(run, inside, activity, resume && resume.segments.length > 0 ? resume : null)
    } catch (thrown) {
      throw rememberOrigin(run, inside, activity, thrown)
    }
    if (run.depth === 0 && run.shared.options.stopAfter === id)
      throw new Finished({}, null, { early: run.shared.options.partly === true })
    resume = null
    id = run.graph.next(id, 'done')
  }
}

/** Notes where a failure came from: the innermost step counts. */
function rememberOrigin(run: Run, frame: Frame, activity: Activity, thrown: unknown): Error {
  if (thrown instanceof Finished) return thrown
  const { origins } = run.shared
  const error = toStepError(thrown)
  error.stepId ??= activity.id
  if (!origins.has(error)) {
    const inner = error.cause instanceof StepError ? origins.get(error.cause) : undefined
    origins.set(error, inner ?? { stepId: activity.id, path: frame.path, error: frame.error })
  }
  return error
}

async function runActivity(run: Run, frame: Frame, activity: Activity, resume: Resume | null): Promise<void> {
  throwIfStopped(frame.signal)
  const { counts, limits } = run.shared
  counts.started += 1
  if (counts.started > limits.maxSteps) {
    throw new StepError('StepLimit', `The run took more than ${limits.maxSteps} steps.`, {
      params: { max: limits.maxSteps },
    })
  }
  const { type } = activity
  const definition = definitionOf(type)
  if (activity.disabled) {
    const skipped = { status: 'skipped', outcome: 'done', output: null, error: null } as const
    const event = { kind: 'step.finished', attempt: 1, type, durationMs: 0, willRetry: false } as const
    await tell(run, frame, activity, { ...event, ...skipped })
    return
  }
  if (!definition) {
    throw new StepError('WorkflowInvalid', `There is no activity "${type}".`, { params: { type } })
  }
  const pinned = run.depth === 0 ? pinOf(run, activity.id) : undefined
  if (pinned) {
    await standIn(run, frame, activity, pinned)
    return
  }
  const control = controls[type]
  if (control) await runContainer({ run, frame, activity, definition, control, resume })
  else await runStep(run, frame, activity, definition)
  if (type === 'finish') {
    const { outputs, message } = run.steps[activity.id] ?? {}
    throw new Finished(isJsonObject(outputs) ? outputs : {}, typeof message === 'string' ? message : null)
  }
}

function pinOf(run: Run, id: string): JsonObject | undefined {
  const { pins } = run.shared.options
  return pins && Object.hasOwn(pins, id) ? pins[id] : undefined
}

/** Takes an output as a step's own without performing the step. */
async function standIn(run: Run, frame: Frame, activity: Activity, output: JsonObject): Promise<void> {
  const { type } = activity
  const sideEffect = sideEffectOf(activity)
  const name = activity.name ?? null
  await tell(run, frame, activity, { kind: 'step.started', attempt: 1, name, type, sideEffect, input: {} })
  run.steps[activity.id] = structuredClone(output)
  const event = { kind: 'step.finished', attempt: 1, type, durationMs: 0, willRetry: false } as const
  const skipped = { status: 'skipped', outcome: 'done', output, error: null } as const
  await tell(run, frame, activity, { ...event, ...skipped })
}

interface ContainerStep {
  run: Run
  frame: Frame
  activity: Activity
  definition: ActivityDefinition
  control: Control
  resume: Resume | null
}

async function runContainer(step: ContainerStep): Promise<void> {
  const { run, frame, activity } = step
  const startedAt = run.shared.clock.now()
  const finished = {
    kind: 'step.finished',
    attempt: 1,
    type: activity.type,
    willRetry: false,
  } as const
  let end: ContainerEnd
  try {
    end = await enterContainer(step)
    run.steps[activity.id] = end.output
  } catch (thrown) {
    if (thrown instanceof StepError && thrown.class === 'JournalFailed') throw thrown
    const durationMs = run.shared.clock.now() - startedAt
    if (thrown instanceof Finished) {
      const success = { status: 'succeeded', outcome: null, output: null, error: null } as const
      await tell(run, frame, activity, { ...finished, ...success, durationMs })
      throw thrown
    }
    const error = rememberOrigin(run, frame, activity, thrown)
    const data = toStepError(error).toData()
    const failure = { status: 'failed', outcome: null, output: null, error: data } as const
    await tell(run, frame, activity, { ...finished, ...failure, durationMs })
    throw error
  }
  const { outcome, output } = end
  const durationMs = run.shared.clock.now() - startedAt
  const success = { status: 'succeeded', outcome, output, error: null } as const
  await tell(run, frame, activity, { ...finished, ...success, durationMs })
  if (end.proceed) await end.proceed()
}

/** Resolves the container's state, tells that it begins, and lets it run within its time limit, if it has one. */
async function enterContainer(step: ContainerStep): Promise<ContainerEnd> {
  const { run, frame, activity, definition, control } = step
  const begin = (input: Parameters<typeof enter>[2]) =>
    tell(run, frame, activity, {
      kind: 'step.started',
      attempt: 1,
      name: activity.name ?? null,
      type: activity.type,
      sideEffect: sideEffectOf(activity),
      input,
    })
  let input: Parameters<typeof enter>[2]
  try {
    input = await resolveState(run, frame, activity, { later: control.later })
  } catch (thrown) {
    await begin({})
    throw thrown
  }
  await begin(input)
  const isCall = control.run === callDocument
  const seconds = activity.timeLimitSeconds ?? (isCall ? definition.defaultTimeLimitSeconds : Infinity)
  const { clock, limits } = run.shared
  return withinLimit(
    {
      parent: frame.signal,
      clock,
      seconds,
      // The steps inside obey first, and tidying up takes its own time.
      settleSeconds: 2 * limits.settleSeconds + limits.cleanupSeconds,
      onLimit: () =>
        new StepError('Timeout', `The step took longer than ${seconds} s.`, { params: { seconds } }),
    },
    (signal) => enter(step, { ...frame, signal }, input),
  )
}

function enter(
  { run, activity, control, resume }: ContainerStep,
  frame: Frame,
  input: Awaited<ReturnType<typeof resolveState>>,
): Promise<ContainerEnd> {
  let pending = resume ? { segments: resume.segments.slice(1), stepId: resume.stepId } : null
  return control.run({
    run,
    frame,
    activity,
    input,
    resume,
    runBody: (outcome, changes, index) => {
      const segment = { stepId: activity.id, outcome, ...(index === undefined ? {} : { index }) }
      const inner = { ...frame, path: [...frame.path, segment], resume: pending, ...changes }
      pending = null
      return runChain(run, run.graph.next(activity.id, outcome), inner)
    },
    runDocument: (inner, place) => runChain(inner, inner.graph.start ?? undefined, place),
  })
}
