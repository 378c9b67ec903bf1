import { useLayoutEffect, type RefObject } from 'react'

/** When something that has the focus goes away, the focus goes back to where the person was before. */
export function useFocusBack(within: RefObject<HTMLElement | null>, back: () => void): void {
  useLayoutEffect(() => {
    const element = within.current
    return () => {
      if (element?.contains(document.activeElement)) back()
    }
  }, [within, back])
}
