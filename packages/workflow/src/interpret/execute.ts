import { StepError, toStepError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { runChain } from './chain.ts'
import { Finished } from './finished.ts'
import { Held } from './hold.ts'
import type { HeldState } from './hold.ts'
import { planResume } from './resume.ts'
import { createRun, createShared } from './run.ts'
import type { Run, Shared } from './run.ts'
import { withinLimit } from './signals.ts'
import type { Checkpoint, ExecuteOptions, ExecutionResult } from './types.ts'

/** Runs a workflow to its end. It does not throw for anything that the workflow or its steps do. */
export async function execute(options: ExecuteOptions): Promise<ExecutionResult> {
  const shared = createShared(options)
  const beganAt = shared.clock.now()
  let run: Run | undefined
  try {
    run = createRun(shared, options.document, options.bindings.inputs, {
      depth: 0,
      parent: null,
      pathPrefix: '',
    })
    await runDocument(shared, run)
    return ended(shared, run, {}, null)
  } catch (thrown) {
    if (thrown instanceof Finished) return ended(shared, run, thrown.outputs, thrown.note)
    if (thrown instanceof Held && run) return held(shared, run, thrown, beganAt)
    return failed(shared, run, toStepError(thrown))
  }
}

async function runDocument(shared: Shared, run: Run): Promise<void> {
  const { options, clock, limits } = shared
  const { startAt, goOn } = options
  const resume = goOn
    ? { ...placeOf(goOn.state), end: goOn.end }
    : startAt
      ? planResume(options.document, startAt, { partly: options.partly })
      : null
  if (goOn) restore(run, goOn.state)
  else if (startAt) restore(run, startAt)
  if (goOn) shared.counts.started = goOn.state.started
  const limit = options.settings?.timeLimitSeconds ?? options.document.settings.timeLimitSeconds
  // The time in which it was held does not count.
  const seconds = Math.max(0, limit - (goOn?.state.spentMs ?? 0) / 1000)
  await withinLimit(
    {
      parent: options.signal,
      clock,
      seconds,
      settleSeconds: 3 * limits.settleSeconds + limits.cleanupSeconds,
      onLimit: () =>
        new StepError('TimeLimit', `The run took longer than ${limit} s.`, { params: { seconds: limit } }),
    },
    (signal) =>
      runChain(run, run.graph.start ?? undefined, {
        path: [],
        lane: '',
        loop: null,
        error: startAt?.error ?? null,
        signal,
        cleaning: false,
        stays: false,
        around: null,
        resume,
      }),
  )
}

const placeOf = ({ segments, stepId }: HeldState) =>
  typeof stepId === 'object' && stepId !== null
    ? { segments, stepId: stepId.id, attempt: stepId.attempt }
    : { segments, stepId }

/** Brings back the variables and outputs of the run that a new one goes on from. */
function restore(run: Run, { vars, steps }: Pick<Checkpoint, 'vars' | 'steps'>): void {
  for (const name of Object.keys(run.vars)) {
    if (Object.hasOwn(vars, name)) run.vars[name] = structuredClone(vars[name] ?? null)
  }
  run.steps = structuredClone(steps)
}

function ended(
  shared: Shared,
  run: Run | undefined,
  outputs: JsonObject,
  message: string | null,
): ExecutionResult {
  const values = valuesOf(run)
  return {
    status: 'succeeded',
    message,
    outputs,
    error: null,
    checkpoint: null,
    values,
    steps: shared.counts,
    held: null,
  }
}

const valuesOf = (run: Run | undefined) => (run ? { vars: run.vars, steps: run.steps } : null)

/** The run has left to wait: what the next one needs is taken along. */
function held(
  shared: Shared,
  run: Run,
  { request, place, segments, stepId, attempt }: Held,
  beganAt: number,
): ExecutionResult {
  const { vars, steps } = run
  const before = shared.options.goOn?.state.spentMs ?? 0
  const spentMs = before + shared.clock.now() - beganAt
  const { started } = shared.counts
  const next = attempt === null || stepId === null ? stepId : { id: stepId, attempt }
  const state = { segments, stepId: next, vars, steps, spentMs, started }
  return {
    status: 'held',
    message: null,
    outputs: {},
    error: null,
    checkpoint: null,
    values: valuesOf(run),
    steps: shared.counts,
    held: { request, place, state },
  }
}

function failed(shared: Shared, run: Run | undefined, error: StepError): ExecutionResult {
  const { signal } = shared.options
  const origin = shared.origins.get(error)
  const timedOut = error.class === 'TimeLimit'
  const outputs = error.class === 'DeclaredFailure' ? error.params['outputs'] : undefined
  return {
    status: timedOut ? 'timed_out' : signal.aborted ? 'cancelled' : 'failed',
    message: error.message,
    outputs: typeof outputs === 'object' && outputs !== null && !Array.isArray(outputs) ? outputs : {},
    error: error.toData(),
    checkpoint:
      run && origin
        ? {
            stepId: origin.stepId,
            path: origin.path,
            vars: run.vars,
            steps: run.steps,
            ...(origin.error ? { error: origin.error } : {}),
          }
        : null,
    values: valuesOf(run),
    steps: shared.counts,
    held: null,
  }
}
