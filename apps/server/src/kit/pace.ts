import { setImmediate as nextTurn } from 'node:timers/promises'

/** So long one work may keep everybody else waiting; a call waits for it a few times on its way. */
const SLICE_MS = 4

/** Lets everybody else have their turn while many rows are worked through: `if (pace.due) await pace.turn()`. */
export class Pace {
  #since = performance.now()

  /** Whether it has been long enough. */
  get due(): boolean {
    return performance.now() - this.#since > SLICE_MS
  }

  /** Goes on once all that waits was looked after. */
  async turn(): Promise<void> {
    await nextTurn()
    this.#since = performance.now()
  }
}
