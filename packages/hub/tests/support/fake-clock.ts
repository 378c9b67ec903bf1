import type { Clock } from '../../src/clock.ts'

interface Timer {
  ms: number
  next: number
  fn: () => void
}

/** Time that stands still until it is moved; sockets get a moment of real time at every step. */
export class FakeClock implements Clock {
  #now = 1_000_000
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }

  wall(): number {
    return 1_700_000_000_000 + this.#now
  }

  every(ms: number, fn: () => void): () => void {
    const timer = { ms, next: this.#now + ms, fn }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Moves on second by second, as the hub's own tick does. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    while (this.#now < until) {
      this.#now = Math.min(until, this.#now + 1000)
      for (const timer of this.#timers) {
        if (timer.next > this.#now) continue
        timer.next = this.#now + timer.ms
        timer.fn()
      }
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
