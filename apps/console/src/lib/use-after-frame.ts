import { startTransition, useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Where no frame is drawn, in a tab that nobody sees, it goes on after so long. */
const NO_FRAME_MS = 200

/** Does something when the next frame has been drawn; gives the way to call it off. */
export function afterFrame(act: () => void): () => void {
  const timers: ReturnType<typeof setTimeout>[] = []
  const end = () => {
    cancelAnimationFrame(frame)
    for (const timer of timers) clearTimeout(timer)
  }
  const once = () => {
    end()
    act()
  }
  const frame = requestAnimationFrame(() => timers.push(setTimeout(once)))
  timers.push(setTimeout(once, NO_FRAME_MS))
  return end
}

/**
 * The value as it was when the last frame was drawn, for what is much to draw and may follow, and the way to have it at once.
 * Unlike a deferred value it leaves the whole frame to the rest. It begins with `initial`.
 */
export function useAfterFrame<T>(value: T, initial: T): [shown: T, catchUp: () => void] {
  const [shown, setShown] = useState({ value: initial })
  useEffect(() => {
    if (Object.is(shown.value, value)) return undefined
    return afterFrame(() => startTransition(() => setShown({ value })))
  }, [value, shown])
  const catchUp = useCallback(() => flushSync(() => setShown({ value })), [value])
  return [shown.value, catchUp]
}
