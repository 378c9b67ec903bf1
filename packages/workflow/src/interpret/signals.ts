import { StepError, toStepError } from '../errors.ts'
import { Finished } from './finished.ts'
import { Held } from './hold.ts'
import type { Clock } from './types.ts'

/** Timers that are to last longer end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Time as it is. */
export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(stopReason(signal))
        return
      }
      const stop = () => {
        clearTimeout(timer)
        reject(stopReason(signal))
      }
      let timer: ReturnType<typeof setTimeout>
      const wait = (left: number) => {
        timer = setTimeout(
          () => {
            if (left > LONGEST_TIMER_MS) return wait(left - LONGEST_TIMER_MS)
            signal.removeEventListener('abort', stop)
            resolve()
          },
          Math.min(left, LONGEST_TIMER_MS),
        )
      }
      wait(ms)
      signal.addEventListener('abort', stop, { once: true })
    }),
}

/** Why a signal ended things: a failure of its own each time, because each remembers the step that it met. */
export function stopReason(signal: AbortSignal): StepError {
  const reason: unknown = signal.reason
  if (reason instanceof StepError) {
    return new StepError(reason.class, reason.message, { params: reason.params, cause: reason })
  }
  const message = reason instanceof Error ? reason.message : 'The run was cancelled.'
  return new StepError('Cancelled', message, { cause: reason })
}

/** Throws where the signal has ended things. */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stopReason(signal)
}

/** A signal that follows others and can be ended alone. */
export interface ChildSignal {
  signal: AbortSignal
  abort: (reason: unknown) => void
  /** Lets go of the others; a loop of a million rounds leaves no listeners behind. */
  dispose: () => void
}

/** Makes a signal that ends when any of its parents does. */
export function childSignal(parents: AbortSignal[]): ChildSignal {
  const controller = new AbortController()
  const listeners = parents.map((parent) => {
    const follow = () => controller.abort(parent.reason)
    if (parent.aborted) follow()
    else parent.addEventListener('abort', follow, { once: true })
    return { parent, follow }
  })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    dispose: () => {
      for (const { parent, follow } of listeners) parent.removeEventListener('abort', follow)
    },
  }
}

/** What bounds a piece of work. */
export interface WorkBounds {
  parent: AbortSignal
  clock: Clock
  /** Infinity for none. */
  seconds: number
  /** How long the work may take to obey its signal. */
  settleSeconds: number
  onLimit: () => StepError
}

/**
 * Does a piece of work within a time limit. Work that is told to stop gets a moment to do so; after that it is given up,
 * and its failure is not retryable, because what it goes on doing is not known. Work that still succeeds has succeeded.
 */
export async function withinLimit<T>(
  bounds: WorkBounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { parent, clock, seconds, settleSeconds, onLimit } = bounds
  throwIfStopped(parent)
  const child = childSignal([parent])
  const timers = childSignal([])
  void whenElapsed(clock, seconds, timers.signal, () => child.abort(onLimit()))
  try {
    const givenUp = new Promise<never>((_, reject) => {
      const giveUp = () => reject(abandoned(stopReason(child.signal)))
      const settle = () => void whenElapsed(clock, settleSeconds, timers.signal, giveUp)
      child.signal.addEventListener('abort', settle, { once: true })
    })
    return await Promise.race([work(child.signal), givenUp])
  } catch (thrown) {
    if (thrown instanceof Finished || thrown instanceof Held) throw thrown
    throw child.signal.aborted ? stoppedBy(child.signal, thrown) : toStepError(thrown)
  } finally {
    timers.abort(new StepError('Cancelled', 'done'))
    child.dispose()
  }
}

/** Does something after a time, unless the signal comes first. */
async function whenElapsed(
  clock: Clock,
  seconds: number,
  signal: AbortSignal,
  action: () => void,
): Promise<void> {
  if (!Number.isFinite(seconds)) return
  try {
    await clock.sleep(seconds * 1000, signal)
  } catch {
    // The work ended before its time; there is nothing to do.
    return
  }
  action()
}

function abandoned({ class: errorClass, message, params }: StepError): StepError {
  return new StepError(errorClass, message, {
    params: { ...params, abandoned: true },
    effect: 'unknown',
    retryable: false,
  })
}

/** The failure of work that was told to stop: why it was stopped, and what the work knows of its effect. */
function stoppedBy(signal: AbortSignal, thrown: unknown): StepError {
  const reason = stopReason(signal)
  if (!(thrown instanceof StepError)) {
    return new StepError(reason.class, reason.message, { params: reason.params, cause: thrown })
  }
  if (thrown.class === reason.class || thrown.class === 'JournalFailed') return thrown
  const error = new StepError(reason.class, reason.message, {
    params: reason.params,
    cause: thrown,
    effect: thrown.effect,
    retryable: reason.retryable && thrown.retryable,
  })
  error.stepId = thrown.stepId
  error.uncertain = thrown.uncertain
  return error
}
