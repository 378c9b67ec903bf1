import { useEffect, useState } from 'react'

/** Milliseconds until a moment, counted down by the second; never below nought. */
export function useCountdown(at: string | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (at === null) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [at])
  return at === null ? 0 : Math.max(0, Date.parse(at) - now)
}
