import type { ActivityDefinition } from '../catalogue/activity.ts'
import { sideEffectOf } from '../catalogue/catalogue.ts'
import type { Activity } from '../document.ts'
import { StepError, toStepError } from '../errors.ts'
import { byteLength, findJsonProblem, isJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { Held } from './hold.ts'
import type { HoldEnd } from './hold.ts'
import { LONGEST_HOLD_SECONDS } from '../question.ts'
import { perform } from './perform.ts'
import { resolveState } from './resolve.ts'
import { formatPath, tell } from './run.ts'
import type { Frame, Run } from './run.ts'
import { throwIfStopped, withinLimit } from './signals.ts'
import type { StepContext } from './types.ts'
import { waitFor } from './wait.ts'

/** Does a step that is no container: resolves it, announces it, performs it, and tries again where that is allowed. */
export async function runStep(
  run: Run,
  frame: Frame,
  activity: Activity,
  definition: ActivityDefinition,
  { end, attempt: next }: { end: HoldEnd | null; attempt: number | null },
): Promise<void> {
  if (end && next === null) return endWait(run, frame, activity)
  const retry = activity.retry ?? definition.defaultRetry
  for (let attempt = next ?? 1; ; attempt += 1) {
    const failure = await attemptStep({ run, frame, activity, definition, attempt, attempts: retry.attempts })
    if (!failure) return
    await pauseBefore(attempt + 1, { run, frame, activity, seconds: retry.delaySeconds })
    throwIfStopped(frame.signal)
  }
}

/** Waits before another attempt, as a delay does: a long pause leaves the run. */
async function pauseBefore(
  attempt: number,
  { run, frame, activity, seconds }: Pick<Attempt, 'run' | 'frame' | 'activity'> & { seconds: number },
): Promise<void> {
  const { signal } = frame
  try {
    const limits = { signal, limitSeconds: Infinity }
    await waitFor(run, frame, activity, { kind: 'time', seconds }, limits)
  } catch (thrown) {
    if (thrown instanceof Held) thrown.attempt = attempt
    throw thrown
  }
}

/** Ends a step that waited while the run was held: it has begun in an earlier one. */
async function endWait(run: Run, frame: Frame, activity: Activity): Promise<void> {
  const { id, type } = activity
  const name = activity.name ?? null
  const sideEffect = sideEffectOf(activity)
  await tell(run, frame, activity, { kind: 'step.started', attempt: 1, name, type, sideEffect, input: {} })
  const output: JsonObject = type === 'wait-for' ? { met: true } : {}
  run.steps[id] = output
  const done = { status: 'succeeded', outcome: 'done', output, error: null, willRetry: false } as const
  await tell(run, frame, activity, { kind: 'step.finished', attempt: 1, type, ...done, durationMs: 0 })
}

interface Attempt {
  run: Run
  frame: Frame
  activity: Activity
  definition: ActivityDefinition
  attempt: number
  attempts: number
}

/** Gives the failure where another attempt may follow, nothing after success, and throws otherwise. */
async function attemptStep(step: Attempt): Promise<StepError | undefined> {
  const { run, frame, activity, definition, attempt, attempts } = step
  const { clock } = run.shared
  const { type } = activity
  const sideEffect = sideEffectOf(activity)
  const irreversible = sideEffect === 'irreversible'
  const startedAt = clock.now()
  const timeLimitSeconds = timeLimitOf(activity, definition)
  const name = activity.name ?? null
  let announced = false
  try {
    const input = await startStep(step, sideEffect)
    if (irreversible) {
      if (frame.cleaning)
        throw new StepError('Cancelled', 'Tidying up does nothing that cannot be taken back.')
      await tell(run, frame, activity, { kind: 'intent', attempt, type })
      announced = true
      // Writing the intent took time; the run may have been cancelled in it.
      if (frame.signal.aborted)
        throw new StepError('Cancelled', 'Cancelled before its effect.', { effect: 'none' })
    }
    const context = {
      stepId: activity.id,
      name,
      path: run.pathPrefix + formatPath(frame.path),
      attempt,
      lane: frame.lane,
      timeLimitSeconds,
      sideEffect,
      log: (level, message, params = {}) =>
        tell(run, frame, activity, { kind: 'log', level, message, params }),
    } satisfies Omit<StepContext, 'signal' | 'type'>
    const limit = () =>
      new StepError('Timeout', `The step took longer than ${timeLimitSeconds} s.`, {
        params: { seconds: timeLimitSeconds },
      })
    const raw = await withinLimit(
      {
        parent: frame.signal,
        clock,
        seconds: timeLimitSeconds,
        settleSeconds: run.shared.limits.settleSeconds,
        onLimit: limit,
      },
      (signal) => perform(run, frame, activity, input, { ...context, signal }),
    )
    // Told at once, before the output is looked at: the effect has happened whatever the output is like.
    if (irreversible) {
      await tell(run, frame, activity, { kind: 'confirm', attempt, type, effect: 'done' })
      announced = false
    }
    const output = checkOutput(raw, run.shared.limits.maxOutputBytes)
    run.steps[activity.id] = output
    await tell(run, frame, activity, {
      kind: 'step.finished',
      attempt,
      type,
      status: 'succeeded',
      outcome: definition.outcomes(activity.state).length > 0 ? 'done' : null,
      output,
      error: null,
      durationMs: clock.now() - startedAt,
      willRetry: false,
    })
    return undefined
  } catch (thrown) {
    if (thrown instanceof Held) throw thrown
    const error = toStepError(thrown)
    if (error.class === 'JournalFailed') {
      error.uncertain = announced
      throw error
    }
    if (announced) {
      if (error.effect === 'none') {
        await tell(run, frame, activity, { kind: 'confirm', attempt, type, effect: 'none' })
      } else error.uncertain = true
    }
    error.stepId ??= activity.id
    const willRetry = attempt < attempts && error.retryable && !error.uncertain && !frame.signal.aborted
    run.shared.counts.failed += 1
    await tell(run, frame, activity, {
      kind: 'step.finished',
      attempt,
      type,
      status: 'failed',
      outcome: null,
      output: null,
      error: error.toData(),
      durationMs: clock.now() - startedAt,
      willRetry,
    })
    if (willRetry) return error
    throw error
  }
}

const LONGEST_WAIT_SECONDS = LONGEST_HOLD_SECONDS

/** How long a step may take. Waiting for a moment takes as long as it takes, unless the author says otherwise. */
function timeLimitOf({ type, state, timeLimitSeconds }: Activity, definition: ActivityDefinition): number {
  if (timeLimitSeconds !== undefined) return timeLimitSeconds
  const isWait = type === 'wait-for' && state['for'] === 'time'
  return isWait ? LONGEST_WAIT_SECONDS : definition.defaultTimeLimitSeconds
}

/** Resolves the input and tells that the step begins; a step whose input cannot be resolved has begun as well. */
async function startStep(
  { run, frame, activity, attempt }: Attempt,
  sideEffect: StepContext['sideEffect'],
): Promise<JsonObject> {
  const begin = (input: JsonObject) =>
    tell(run, frame, activity, {
      kind: 'step.started',
      attempt,
      name: activity.name ?? null,
      type: activity.type,
      sideEffect,
      input,
    })
  let input: JsonObject
  try {
    input = await resolveState(run, frame, activity)
  } catch (thrown) {
    await begin({})
    throw thrown
  }
  await begin(input)
  return input
}

/** What a runner gave, as JSON of bounded size and no longer shared with the runner. */
function checkOutput(raw: unknown, maxBytes: number): JsonObject {
  if (raw === undefined || raw === null) return {}
  const problem = findJsonProblem(raw, 64)
  if (problem) {
    throw new StepError('Internal', 'The step gave an output that is not JSON.', {
      params: { path: problem.path, code: problem.code },
    })
  }
  const text = JSON.stringify(raw)
  if (text.length > maxBytes || byteLength(text) > maxBytes) {
    throw new StepError('TooLarge', `The step gave more than ${maxBytes} bytes.`, {
      params: { max: maxBytes },
    })
  }
  const output: unknown = JSON.parse(text)
  return isJsonObject(output) ? output : {}
}
