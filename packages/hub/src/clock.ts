/** Time as the hub sees it, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds that never jump: for durations. */
  now(): number
  /** Milliseconds since 1970: for the end of a token. */
  wall(): number
  /** Calls `fn` again and again; the answer stops it. */
  every(ms: number, fn: () => void): () => void
}

/** The machine's own time; its timers never keep a process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  every(ms, fn) {
    const timer = setInterval(fn, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}
