/** One of the calls that are answered together. */
interface Waiting<I, O> {
  input: I
  resolve: (output: O) => void
  reject: (error: unknown) => void
}

const MOST_TOGETHER = 64
/** How long a turn that follows closely on another waits for more calls. */
const PAUSE_MS = 2
const CLOSELY_MS = 20
/** A turn that takes longer, waiting for a lock perhaps, no longer holds up the next. */
const SLOW_MS = 250

/**
 * Answers calls of one kind together: those that come while others are being worked on, or right after, share the next
 * turn. The busier it gets, the more share a transaction, so its fixed cost falls; a call in a quiet time waits for
 * nobody. When a turn fails, each of its calls is answered alone, so one bad call spoils no other.
 */
export class Gatherer<I, O> {
  readonly #run: (inputs: readonly I[]) => Promise<readonly O[]>
  readonly #waiting: Waiting<I, O>[] = []
  #busy = false
  #lastTurn = 0

  constructor(run: (inputs: readonly I[]) => Promise<readonly O[]>) {
    this.#run = run
  }

  /** Answers one call, as soon as its turn comes. */
  ask(input: I): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject })
      this.#turn()
    })
  }

  #turn(): void {
    if (this.#busy || this.#waiting.length === 0) return
    this.#busy = true
    const closely = performance.now() - this.#lastTurn < CLOSELY_MS
    if (closely) setTimeout(() => this.#begin(), PAUSE_MS)
    else this.#begin()
  }

  #begin(): void {
    let over = false
    const end = () => {
      if (over) return
      over = true
      clearTimeout(slow)
      this.#busy = false
      this.#lastTurn = performance.now()
      this.#turn()
    }
    const slow = setTimeout(end, SLOW_MS)
    void this.#answer(this.#waiting.splice(0, MOST_TOGETHER)).finally(end)
  }

  async #answer(calls: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const outputs = await this.#run(calls.map(({ input }) => input))
      calls.forEach(({ resolve, reject }, index) => {
        const output = outputs[index]
        if (output === undefined) reject(new Error('a call of a turn was not answered'))
        else resolve(output)
      })
    } catch (error) {
      const [only] = calls
      if (calls.length === 1) only?.reject(error)
      else for (const call of calls) await this.#answer([call])
    }
  }
}
