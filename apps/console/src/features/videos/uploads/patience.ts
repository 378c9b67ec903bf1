import { isAway, isFailure } from '../../../lib/failure.ts'

const WAITS_MS = [500, 1000, 2000, 4000, 8000, 15_000]
/** A server that answers, but not as it should, is asked so often; one that cannot be reached is waited for. */
const TRIES = 8

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Asks until there is an answer: a network that is lost for a while, or a server that starts anew, says nothing about what
 * was asked for. A refusal is thrown at once.
 */
export async function patiently<T>(work: () => Promise<T>, wait = later): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const status = isFailure(error) ? error.httpStatus : undefined
      const isBusy = status === 429 || (status !== undefined && status >= 500)
      if (!isAway(error) && !(isBusy && tries < TRIES)) throw error
      await wait(WAITS_MS[Math.min(tries, WAITS_MS.length) - 1] ?? 0)
    }
  }
}
