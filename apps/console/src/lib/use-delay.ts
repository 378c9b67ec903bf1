import { useEffect, useRef, useState } from 'react'

/** One thing that is done a moment later, unless something else comes before; nothing is done after the component left. */
export function useDelay(): { start: (then: () => void, ms: number) => void; stop: () => void } {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [delay] = useState(() => ({
    start: (then: () => void, ms: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(then, ms)
    },
    stop: () => clearTimeout(timer.current),
  }))
  useEffect(() => delay.stop, [delay])
  return delay
}
