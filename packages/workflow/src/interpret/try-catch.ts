import { StepError, toStepError } from '../errors.ts'
import type { ErrorClass, ErrorData } from '../errors.ts'
import type { Container, ContainerEnd } from './container.ts'
import { Finished } from './finished.ts'
import { Held } from './hold.ts'
import { childSignal } from './signals.ts'
import { tell } from './run.ts'

/** Failures that end the run whatever the workflow wants. */
const FINAL: ReadonlySet<ErrorClass> = new Set(['Cancelled', 'TimeLimit', 'StepLimit', 'JournalFailed'])

/**
 * Runs `try`; where a step in it fails, `catch`; and `finally` in any case. It does not catch the end of the run, nor a
 * failure after which the effect of an irreversible step is unknown: that needs a person.
 */
export async function tryCatch(container: Container): Promise<ContainerEnd> {
  const { run, frame, resume, runBody } = container
  const begin = resume?.segments[0]?.outcome ?? 'try'
  const known = resume?.segments[0]?.error
  const { partly, stopAfter } = run.shared.options
  if (resume && partly && stopAfter !== undefined) {
    // One step within is tried out: neither its failure nor its success leads anywhere else.
    await runBody(begin)
    return { outcome: 'done', output: { failed: false, error: {} } }
  }
  let caught: StepError | null = null
  let leaving: unknown
  try {
    if (begin === 'catch') await runBody('catch', known ? { error: known } : {}, undefined, known)
    else if (begin === 'try') {
      try {
        await runBody('try')
      } catch (thrown) {
        if (thrown instanceof Finished || thrown instanceof Held) throw thrown
        const error = toStepError(thrown)
        if (error.uncertain || frame.signal.aborted || FINAL.has(error.class)) throw error
        caught = error
        await runBody('catch', { error: error.toData() }, undefined, error.toData())
      }
    }
  } catch (thrown) {
    // A run that leaves to wait comes back: there is nothing to tidy up yet.
    if (thrown instanceof Held) throw thrown
    leaving = thrown
  }
  const error = caught?.toData() ?? known ?? null
  await tidyUp(container, leaving, error)
  if (leaving !== undefined) throw leaving
  return { outcome: 'done', output: { failed: error !== null || begin === 'catch', error: error ?? {} } }
}

/** Runs `finally`. After cancellation it gets a short time of its own, and does nothing irreversible. */
async function tidyUp(container: Container, leaving: unknown, about: ErrorData | null): Promise<void> {
  const { run, frame, activity, runBody } = container
  const { options, clock, limits } = run.shared
  if (leaving instanceof StepError && leaving.class === 'JournalFailed') return
  if (run.graph.next(activity.id, 'finally') === undefined) return
  if (!frame.signal.aborted) {
    if (leaving === undefined) {
      await runBody('finally', {}, undefined, about)
      return
    }
    await keepFirst(container, () => runBody('finally', { stays: true }))
    return
  }
  if (frame.cleaning || limits.cleanupSeconds <= 0 || options.stopNow?.aborted) return
  const cleaning = childSignal(options.stopNow ? [options.stopNow] : [])
  const timer = childSignal([])
  const limit = () => cleaning.abort(new StepError('Cancelled', 'Tidying up took too long.'))
  clock.sleep(limits.cleanupSeconds * 1000, timer.signal).then(limit, () => undefined)
  try {
    await keepFirst(container, () => runBody('finally', { signal: cleaning.signal, cleaning: true }))
  } finally {
    timer.abort(new StepError('Cancelled', 'done'))
    cleaning.dispose()
  }
}

/** A failure of `finally` does not hide the one that came before it, unless it is graver. */
async function keepFirst({ run, frame, activity }: Container, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    if (thrown instanceof Finished) return
    const error = toStepError(thrown)
    if (error.uncertain || error.class === 'JournalFailed') throw error
    await tell(run, frame, activity, {
      kind: 'log',
      level: 'warning',
      message: `Tidying up failed: ${error.message}`,
      params: { class: error.class },
    })
  }
}
