/** Says that something took longer than it may. */
export class TooLate extends Error {}

/** Does something that may take no longer than this; by its signal it learns that nobody waits for it any more. */
export async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const given = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new TooLate('the browser did not answer in time')
    given.abort(error)
    late.reject(error)
  }, ms)
  try {
    return await Promise.race([work(given.signal), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The same, where being too late is no failure: then there is nothing. */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  try {
    return await within(ms, () => work)
  } catch (error) {
    if (error instanceof TooLate) return undefined
    throw error
  }
}
