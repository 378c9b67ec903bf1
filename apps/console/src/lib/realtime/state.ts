import { emitter, store } from '../emitter.ts'
import type { SocketState } from './machine.ts'

/** The state of the live connection, and since when it has not been open. */
export interface Live {
  state: SocketState
  lostSince: number | null
}

/** What is known of the live connection. */
export const live = store<Live>({ state: 'normal', lostSince: null })
/** Told when a person asks to connect at once. */
export const retryWanted = emitter<null>()

/** Notes a new state. `lostSince` begins when an open connection ends and holds until it is open again. */
export function noteState(state: SocketState, now: number): void {
  const before = live.get()
  const wasOpen = before.state === 'open'
  const lostSince =
    state === 'open' || state === 'close' ? null : (before.lostSince ?? (wasOpen ? now : null))
  live.set({ state, lostSince })
}
