import { useLayoutEffect, type RefObject } from 'react'

/**
 * Tells the sheet of an element how much of the page is above it, as `--above`, also when a banner comes or goes: so it
 * can end where the window ends.
 */
export function useAbove(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    let known = -1
    const measure = () => {
      const above = Math.round(element.getBoundingClientRect().top + scrollY)
      if (above === known) return
      known = above
      element.style.setProperty('--above', `${above}px`)
    }
    measure()
    // What comes above it makes the page higher.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [box])
}
