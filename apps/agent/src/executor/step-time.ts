import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from './failures.ts'

/** Kept back for telling what was looked for, before the step's own limit tells only that it took too long. */
const RESERVE_MS = 400

/** The time that a step has: waits end with its signal, and searches a moment before its limit. */
export class StepTime {
  readonly signal: AbortSignal
  readonly #endsAt: number

  constructor(limitSeconds: number, signal: AbortSignal) {
    this.signal = signal
    const limitMs = limitSeconds * 1000
    this.#endsAt = performance.now() + limitMs - Math.min(RESERVE_MS, limitMs / 5)
  }

  /** Milliseconds left, at least 1: Playwright takes 0 for ever. */
  get leftMs(): number {
    return Math.max(1, this.#endsAt - performance.now())
  }

  /** Waits for something; not after the step is over. */
  async within<T>(work: Promise<T>): Promise<T> {
    return abortable(work, this.signal)
  }

  /** Waits a moment; false once the time is up. */
  async poll(ms: number): Promise<boolean> {
    if (performance.now() + ms > this.#endsAt) return false
    await abortable(sleep(ms), this.signal)
    return true
  }

  /** The same end for a part that shall take less. */
  shorter(maxMs: number): StepTime {
    return new StepTime(Math.min(maxMs, this.leftMs) / 1000, this.signal)
  }
}
