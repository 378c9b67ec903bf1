import { StepError, toStepError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { runChain } from './chain.ts'
import { Finished } from './finished.ts'
import { planResume } from './resume.ts'
import { createRun, createShared } from './run.ts'
import type { Run, Shared } from './run.ts'
import { withinLimit } from './signals.ts'
import type { Checkpoint, ExecuteOptions, ExecutionResult } from './types.ts'

/** Runs a workflow to its end. It does not throw for anything that the workflow or its steps do. */
export async function execute(options: ExecuteOptions): Promise<ExecutionResult> {
  const shared = createShared(options)
  let run: Run | undefined
  try {
    run = createRun(shared, options.document, options.bindings.inputs, { depth: 0, pathPrefix: '' })
    await runDocument(shared, run)
    return ended(shared, run, {}, null)
  } catch (thrown) {
    if (thrown instanceof Finished) return ended(shared, run, thrown.outputs, thrown.note)
    return failed(shared, run, toStepError(thrown))
  }
}

async function runDocument(shared: Shared, run: Run): Promise<void> {
  const { options, clock, limits } = shared
  const { startAt } = options
  const resume = startAt ? planResume(options.document, startAt, { partly: options.partly }) : null
  if (startAt) restore(run, startAt)
  const seconds = options.settings?.timeLimitSeconds ?? options.document.settings.timeLimitSeconds
  await withinLimit(
    {
      parent: options.signal,
      clock,
      seconds,
      settleSeconds: 3 * limits.settleSeconds + limits.cleanupSeconds,
      onLimit: () =>
        new StepError('TimeLimit', `The run took longer than ${seconds} s.`, { params: { seconds } }),
    },
    (signal) =>
      runChain(run, run.graph.start ?? undefined, {
        path: [],
        lane: '',
        loop: null,
        error: startAt?.error ?? null,
        signal,
        cleaning: false,
        resume,
      }),
  )
}

/** Brings back the variables and outputs of the run that a new one goes on from. */
function restore(run: Run, { vars, steps }: Checkpoint): void {
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
  }
}

const valuesOf = (run: Run | undefined) => (run ? { vars: run.vars, steps: run.steps } : null)

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
  }
}
