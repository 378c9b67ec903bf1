import { availableParallelism } from 'node:os'
import { AppError } from '../../kit/app-error.ts'
import { networkOf } from '../../kit/rate.ts'

/** A hash fills one core; one stays for those who are in already. */
const AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
const WAITING_MAX = 500
const REMEMBERED_MS = 15 * 60_000
const REMEMBERED_MAX = 20_000

interface Waiting {
  tries: number
  begin: () => void
  refuse: (error: AppError) => void
}

/**
 * Lets tries to sign in through a few at a time, so that a crowd of them keeps nobody from their work. Whoever has tried
 * least lately goes first: a crowd waits for itself, and somebody who comes from elsewhere passes it by.
 */
export class Door {
  readonly #atOnce: number
  readonly #waitingMax: number
  readonly #tries = new Map<string, { count: number; lastAt: number }>()
  #waiting: Waiting[] = []
  #inside = 0

  constructor({ atOnce = AT_ONCE, waitingMax = WAITING_MAX } = {}) {
    this.#atOnce = atOnce
    this.#waitingMax = waitingMax
  }

  /** Does the work when it is this address's turn; `auth.busy` for those who have tried most when too many wait. */
  async pass<T>(address: string, nowMs: number, work: () => Promise<T>): Promise<T> {
    await this.#enter(this.#count(networkOf(address), nowMs))
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Forgets the tries of an address that turned out to be somebody's. */
  forgive(address: string): void {
    this.#tries.delete(networkOf(address))
  }

  #count(network: string, nowMs: number): number {
    const before = this.#tries.get(network)
    const count = before && nowMs - before.lastAt < REMEMBERED_MS ? before.count + 1 : 1
    if (this.#tries.size >= REMEMBERED_MAX) this.#tries.clear()
    this.#tries.set(network, { count, lastAt: nowMs })
    return count
  }

  async #enter(tries: number): Promise<void> {
    if (this.#inside < this.#atOnce) {
      this.#inside += 1
      return
    }
    const turn = new Promise<void>((begin, refuse) => {
      const place = this.#waiting.findIndex((other) => other.tries > tries)
      this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, { tries, begin, refuse })
    })
    if (this.#waiting.length > this.#waitingMax)
      this.#waiting.pop()?.refuse(new AppError('auth.busy', { seconds: 2 }, { retryAfterSeconds: 2 }))
    await turn
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next.begin()
    else this.#inside -= 1
  }
}
