import { CallError } from '@weft/contract/core/client'

/** Waits between tries: 1 s, doubling to 60 s, each with up to half of it at random; a `Retry-After` is obeyed. */
export class Backoff {
  readonly #firstMs: number
  readonly #maxMs: number
  #nextMs: number

  constructor(options: { firstMs?: number; maxMs?: number } = {}) {
    this.#firstMs = options.firstMs ?? 1000
    this.#maxMs = options.maxMs ?? 60_000
    this.#nextMs = this.#firstMs
  }

  /** How long to wait after this failure. */
  delayMs(error?: unknown): number {
    const own = this.#nextMs * (0.5 + Math.random() / 2)
    this.#nextMs = Math.min(this.#nextMs * 2, this.#maxMs)
    const asked = error instanceof CallError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    return Math.max(own, asked)
  }

  /** A try succeeded: begin from the first wait again. */
  reset(): void {
    this.#nextMs = this.#firstMs
  }
}

/** A time near the given one, so that many agents do not act in step. */
export function jitter(ms: number, share = 0.2): number {
  return ms * (1 - share * Math.random())
}

/** Waits; ends early, without an error, when the signal is given. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Whether trying the same call again may succeed: the network, the server's load or its restart was in the way. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  return error.httpStatus === 0 || error.httpStatus === 429 || error.httpStatus >= 500
}
