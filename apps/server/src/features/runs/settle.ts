import type { ItemEvent } from '@weft/contract/campaigns/states'
import type { RunError, RunResult } from '@weft/contract/runs/schema'

/** What is known of a run when it ends. */
export interface Ending {
  result: RunResult
  error: RunError | null
  /** Attempts made since a person last asked for a fresh count, this one included. */
  attempt: number
  maxAttempts: number
  backoffSeconds: number
  /** Irreversible steps announced and not confirmed; and confirmed ones. */
  openIntents: readonly string[]
  confirmed: readonly string[]
  cancelRequested: boolean
  /** For how long it left to wait; null where it did not. */
  heldSeconds?: number | null
  /** Whether the run ever began; an offer that was never taken up costs no attempt. */
  began: boolean
}

/** What the item does next. `retryInSeconds` says when an attempt may follow. */
export interface Verdict {
  event: ItemEvent
  retryInSeconds: number
  error: RunError | null
}

/** Attempts that may be lost with their agent beyond those that the policy grants: they are not the item's fault. */
const LOST_ALLOWANCE = 3
/** An agent that refused an item is not asked again at once. */
const REJECTED_PAUSE_SECONDS = 30

/**
 * Decides what becomes of an item whose run is over. An irreversible step that was announced and not confirmed, or
 * confirmed in a run that did not succeed, is never repeated by itself: a person decides.
 */
export function settle(ending: Ending): Verdict {
  const { result, error } = ending
  if (result === 'succeeded') return { event: 'succeed', retryInSeconds: 0, error: null }
  if (!ending.began) {
    if (ending.cancelRequested) return { event: 'cancel', retryInSeconds: 0, error }
    if (result !== 'rejected') return { event: 'giveBack', retryInSeconds: 0, error: null }
    const enough = ending.attempt >= ending.maxAttempts
    return {
      event: enough ? 'fail' : 'giveBack',
      retryInSeconds: REJECTED_PAUSE_SECONDS,
      error: error ?? unnamed(result),
    }
  }
  if (ending.openIntents.length > 0)
    return doubt(
      error,
      'EffectUnknown',
      'The run ended after it announced an irreversible step and before it confirmed it.',
      ending.openIntents,
    )
  const held = result === 'held' && ending.heldSeconds !== null && ending.heldSeconds !== undefined
  if (held && !ending.cancelRequested)
    return { event: 'hold', retryInSeconds: ending.heldSeconds ?? 0, error: null }
  if (ending.confirmed.length > 0)
    return doubt(
      error,
      'EffectDone',
      'An irreversible step was done, but the run did not succeed.',
      ending.confirmed,
    )
  if (result === 'cancelled' || ending.cancelRequested) return { event: 'cancel', retryInSeconds: 0, error }
  const allowed = result === 'lost' ? ending.maxAttempts + LOST_ALLOWANCE : ending.maxAttempts
  if (ending.attempt >= allowed) return { event: 'fail', retryInSeconds: 0, error: error ?? unnamed(result) }
  const wait = result === 'lost' ? 0 : ending.backoffSeconds * 2 ** (ending.attempt - 1)
  return { event: 'tryAgain', retryInSeconds: Math.min(wait, 86_400), error: error ?? unnamed(result) }
}

function doubt(error: RunError | null, cls: string, message: string, paths: readonly string[]): Verdict {
  const path = paths[0] ?? ''
  return {
    event: 'doubt',
    retryInSeconds: 0,
    error: {
      class: cls,
      message: error ? `${message} ${error.message}`.slice(0, 4000) : message,
      stepId: path.split('/').at(-1) ?? null,
      stepName: error?.stepName ?? null,
    },
  }
}

function unnamed(result: RunResult): RunError {
  const message = result === 'lost' ? 'The agent was lost.' : `The run ended as ${result}.`
  return { class: result === 'lost' ? 'AgentLost' : 'Internal', message, stepId: null, stepName: null }
}
