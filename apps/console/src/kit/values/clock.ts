import { store } from '../../lib/emitter.ts'

const clock = store(Date.now())
let timer: ReturnType<typeof setInterval> | undefined
let watchers = 0

/** A clock that ticks every half minute while somebody looks at it. */
export const minuteClock = {
  get: clock.get,
  subscribe: (listener: () => void) => {
    const leave = clock.subscribe(listener)
    watchers += 1
    if (timer === undefined) {
      // It stood still while nobody looked.
      clock.set(Date.now())
      timer = setInterval(() => clock.set(Date.now()), 30_000)
    }
    return () => {
      leave()
      watchers -= 1
      if (watchers > 0) return
      clearInterval(timer)
      timer = undefined
    }
  },
}
