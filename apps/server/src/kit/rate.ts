import { AppError } from './app-error.ts'

/** At once, and then per second. An open page that follows a running campaign stays well below. */
const BURST = 600
const PER_SECOND = 20
const KEPT_MAX = 20_000

interface Bucket {
  left: number
  at: number
}

/** How often each caller may call, in this process. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>()
  readonly #burst: number
  readonly #perSecond: number

  constructor(burst = BURST, perSecond = PER_SECOND) {
    this.#burst = burst
    this.#perSecond = perSecond
  }

  /** Counts one call of this caller; 429 when there were too many. */
  take(caller: string, nowMs: number): void {
    const bucket = this.#buckets.get(caller) ?? { left: this.#burst, at: nowMs }
    const refilled = bucket.left + (Math.max(0, nowMs - bucket.at) / 1000) * this.#perSecond
    const left = Math.min(this.#burst, refilled) - 1
    if (left < 0) {
      const seconds = Math.ceil(-left / this.#perSecond)
      throw new AppError('request.too_many', { seconds }, { retryAfterSeconds: seconds })
    }
    // Whoever was not heard of for long has a full bucket again: forgetting them changes nothing.
    if (this.#buckets.size >= KEPT_MAX) this.#buckets.clear()
    this.#buckets.set(caller, { left, at: nowMs })
  }
}
