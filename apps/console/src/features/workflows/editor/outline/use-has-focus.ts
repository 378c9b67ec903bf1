import { useEffect, useRef, type RefObject } from 'react'

/**
 * Whether the keyboard's focus is in an element, also after the very part that had it was taken away: then the browser
 * drops the focus without a word, and it has to be put somewhere near.
 */
export function useHasFocus(box: RefObject<HTMLElement | null>): RefObject<boolean> {
  const has = useRef(false)
  useEffect(() => {
    const look = ({ target }: Event) => {
      has.current = target instanceof Node && box.current?.contains(target) === true
    }
    document.addEventListener('focusin', look)
    document.addEventListener('pointerdown', look)
    return () => {
      document.removeEventListener('focusin', look)
      document.removeEventListener('pointerdown', look)
    }
  }, [box])
  return has
}
