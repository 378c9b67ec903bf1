import { useEffect, type RefObject } from 'react'
import { useLatest } from '../../lib/use-latest.ts'
import type { ListHandle } from './handle.ts'

/** Has the rows of a list stay where they are while a pointer or the keyboard is among them. */
export function useHolding<T>(scroller: RefObject<HTMLElement | null>, list: ListHandle<T>): void {
  const latest = useLatest(list)
  useEffect(() => {
    const box = scroller.current
    if (!box) return undefined
    const { current } = latest
    const listening = new AbortController()
    const { signal } = listening
    box.addEventListener('pointerenter', () => current.hold('pointer', true), { signal })
    box.addEventListener('pointerleave', () => current.hold('pointer', false), { signal })
    box.addEventListener(
      'focusin',
      ({ target }) => {
        // What was clicked has the focus too, and keeps it after the pointer has left.
        if (target instanceof Element && target.matches('tbody :focus-visible'))
          current.hold('keyboard', true)
      },
      { signal },
    )
    box.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !box.contains(relatedTarget)) current.hold('keyboard', false)
      },
      { signal },
    )
    return () => {
      listening.abort()
      // The table goes when nothing matches any more: nobody is among its rows then.
      current.hold('pointer', false)
      current.hold('keyboard', false)
    }
  }, [scroller, latest])
}
