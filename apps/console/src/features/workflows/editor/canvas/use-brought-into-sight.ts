import { useReactFlow } from '@xyflow/react'
import type { UIEvent } from 'react'
import { useSteady } from '../../../../lib/use-latest.ts'

/**
 * Moves the drawing to what a browser brings into sight by scrolling: a word that is searched on the page, what somebody
 * goes to by voice or in a screen reader. The drawing library would take the scrolling back within the same frame, so that
 * a press fell beside its button.
 */
export function useBroughtIntoSight(): (event: UIEvent) => void {
  const { getViewport, setViewport } = useReactFlow()
  return useSteady(({ target }: UIEvent) => {
    if (!(target instanceof Element) || !target.classList.contains('react-flow')) return
    const { scrollLeft, scrollTop } = target
    if (scrollLeft === 0 && scrollTop === 0) return
    const { x, y, zoom } = getViewport()
    target.scrollTo({ left: 0, top: 0, behavior: 'instant' })
    void setViewport({ x: x - scrollLeft, y: y - scrollTop, zoom })
  })
}
