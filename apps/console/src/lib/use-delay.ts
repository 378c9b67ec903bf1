import { useEffect, useRef, useState } from 'react'

/** One thing that is to be done in a moment. */
export interface Delay {
  /** Does it then; what was to be done before is not done any more. */
  start: (then: () => void, ms: number) => void
  /** Does it not. */
  stop: () => void
}

/** Does one thing a moment later, the last one asked for; nothing when the component has gone by then. */
export function useDelay(): Delay {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [delay] = useState<Delay>(() => ({
    start: (then, ms) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(then, ms)
    },
    stop: () => clearTimeout(timer.current),
  }))
  useEffect(() => delay.stop, [delay])
  return delay
}
