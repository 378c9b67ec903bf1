import { useEffect, useState } from 'react'
import type { Failure } from '../../lib/failure.ts'

/** Seconds that are left until another try makes sense, after a failure that says so. */
export function useCountdown(failure: Failure | null): number {
  const [left, setLeft] = useState<{ of: Failure | null; seconds: number }>({ of: null, seconds: 0 })
  if (left.of !== failure) setLeft({ of: failure, seconds: secondsOf(failure) })
  const running = left.seconds > 0
  useEffect(() => {
    if (!running) return undefined
    const timer = setInterval(
      () => setLeft((now) => ({ ...now, seconds: Math.max(0, now.seconds - 1) })),
      1000,
    )
    return () => clearInterval(timer)
  }, [running])
  return left.seconds
}

function secondsOf(failure: Failure | null): number {
  if (failure?.httpStatus !== 429) return 0
  const told = failure.body.params?.['seconds']
  return failure.retryAfterSeconds ?? (typeof told === 'number' ? told : 0)
}

/** Seconds as a clock shows them, `4:07`. */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
