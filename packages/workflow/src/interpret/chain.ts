import type { ActivityDefinition } from '../catalogue/activity.ts'
import { definitionOf, sideEffectOf } from '../catalogue/catalogue.ts'
import type { Activity } from '../document.ts'
import { StepError, toStepError } from '../errors.ts'
import { isJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { callDocument } from './call.ts'
import { callOf } from '../calls.ts'
import type { ContainerEnd, Control } from './container.ts'
import { controls } from './control.ts'
import { Finished } from './finished.ts'
import { Held } from './hold.ts'
import type { HeldSegment, HoldEnd } from './hold.ts'
import { resolveState } from './resolve.ts'
import { tell } from './run.ts'
import type { Frame, Resume, Run } from './run.ts'
import { throwIfStopped, withinLimit } from './signals.ts'
import { runStep } from './step.ts'
import { waitFor } from './wait.ts'

/** Runs the steps of a chain one after another until it ends. */
export async function runChain(run: Run, first: string | undefined, frame: Frame): Promise<void> {
  let resume = frame.resume
  let id = resume ? (resume.segments[0]?.stepId ?? resume.stepId ?? first) : first
  const inside = { ...frame, resume: null }
  while (id !== undefined) {
    const activity = run.graph.byId.get(id)
    if (!activity)
      throw new StepError('WorkflowInvalid', `There is no step "${id}".`, { params: { step: id } })
    try {
      const into = resume && resume.segments.length > 0 ? resume : null
      const end = (into === null && resume?.stepId === id && resume.end) || null
      const attempt = (end && resume?.attempt) ?? null
      await runActivity(run, inside, activity, { resume: into, end, attempt })
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
  if (thrown instanceof Finished || thrown instanceof Held) return thrown
  const { origins } = run.shared
  const error = toStepError(thrown)
  error.stepId ??= activity.id
  if (!origins.has(error)) {
    const inner = error.cause instanceof StepError ? origins.get(error.cause) : undefined
    origins.set(error, inner ?? { stepId: activity.id, path: frame.path, error: frame.error })
  }
  return error
}

/** On the way to where the run goes on, or there. */
interface Going {
  resume: Resume | null
  end: HoldEnd | null
  /** It waited to be tried again, and goes on with this attempt. */
  attempt: number | null
}

async function runActivity(run: Run, frame: Frame, activity: Activity, going: Going): Promise<void> {
  throwIfStopped(frame.signal)
  const { counts, limits, options } = run.shared
  // What a held run was in when it left is counted already.
  if (!options.goOn || (!going.resume && !going.end)) counts.started += 1
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
  if (control) await runContainer({ run, frame, activity, definition, control, ...going })
  else await runStep(run, frame, activity, definition, going)
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

interface ContainerStep extends Omit<Going, 'attempt'> {
  run: Run
  frame: Frame
  activity: Activity
  definition: ActivityDefinition
  control: Control
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
    if (thrown instanceof Held) throw thrown
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
    input =
      step.resume?.segments[0]?.input ?? (await resolveState(run, frame, activity, { later: control.later }))
  } catch (thrown) {
    await begin({})
    throw thrown
  }
  await begin(input)
  const isCall = control.run === callDocument
  const limit = activity.timeLimitSeconds ?? (isCall ? definition.defaultTimeLimitSeconds : Infinity)
  const seconds = Math.max(0, limit - (step.resume?.segments[0]?.spentMs ?? 0) / 1000)
  const { clock, limits } = run.shared
  return withinLimit(
    {
      parent: frame.signal,
      clock,
      seconds,
      // The steps inside obey first, and tidying up takes its own time.
      settleSeconds: 2 * limits.settleSeconds + limits.cleanupSeconds,
      onLimit: () =>
        new StepError('Timeout', `The step took longer than ${limit} s.`, { params: { seconds: limit } }),
    },
    (signal) => enter(step, { ...frame, signal }, input),
  )
}

function enter(
  { run, activity, control, resume, end }: ContainerStep,
  frame: Frame,
  input: Awaited<ReturnType<typeof resolveState>>,
): Promise<ContainerEnd> {
  const [first] = resume?.segments ?? []
  let pending = resume ? { ...resume, segments: resume.segments.slice(1) } : null
  const { clock } = run.shared
  const beganAt = clock.now()
  const spentMs = () => (first?.spentMs ?? 0) + clock.now() - beganAt
  // A run that leaves to wait takes along what the containers around know.
  const keep = async (work: Promise<void>, known: () => Omit<HeldSegment, 'input' | 'spentMs'>) => {
    try {
      await work
    } catch (thrown) {
      if (thrown instanceof Held) thrown.segments.unshift({ ...known(), input, spentMs: spentMs() })
      throw thrown
    }
  }
  const limitSeconds = Infinity
  const around = { input, error: null, document: null, outer: frame.around }
  return control.run({
    run,
    frame,
    activity,
    input,
    resume,
    end,
    runBody: (outcome, changes, index, about) => {
      const segment = { stepId: activity.id, outcome, ...(index === undefined ? {} : { index }) }
      const inner = {
        ...frame,
        path: [...frame.path, segment],
        around: { ...around, error: about ?? null },
        resume: pending,
        ...changes,
      }
      pending = null
      const body = runChain(run, run.graph.next(activity.id, outcome), inner)
      return keep(body, () => ({ ...segment, ...(about ? { error: about } : {}) }))
    },
    pause: async (seconds, next) => {
      const { signal } = frame
      try {
        const place = { ...frame, around }
        await waitFor(run, place, activity, { kind: 'time', seconds }, { signal, limitSeconds })
      } catch (thrown) {
        if (thrown instanceof Held) {
          thrown.stepId = null
          thrown.segments.unshift({ stepId: activity.id, ...next, input, spentMs: spentMs() })
        }
        throw thrown
      }
    },
    wait: (request) => waitFor(run, frame, activity, request, { signal: frame.signal, limitSeconds }),
    runDocument: (inner, place) => {
      // Without a number the newest release is called, which may be another by then.
      const document = callOf(activity)?.number === null ? inner.document : null
      const inside = { ...place, around: { ...around, document }, resume: first?.call ? pending : null }
      return keep(runChain(inner, inner.graph.start ?? undefined, inside), () => ({
        stepId: activity.id,
        outcome: 'done',
        call: {
          vars: inner.vars,
          steps: inner.steps,
          ...(document ? { document } : {}),
        },
      }))
    },
  })
}
