import { useLayoutEffect, useRef, useState } from 'react'

const MOST = 4
/** On a narrow screen nothing of a whole page can be read: there it begins nearer. */
const NARROW = '(width < 40em)'
const NEAR = 2

/** What of the picture, in shares of it, stays at which place of its frame, in shares of that. */
interface Anchor {
  x: number
  y: number
  left: number
  top: number
}
/** The middle of a page is where its forms are. */
const BEGINNING: Anchor = { x: 0.5, y: 0, left: 0.5, top: 0 }

/** How large the picture is drawn, in its frame that scrolls. What is under the fingers stays there. */
export function useZoom(ready: boolean) {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState(() => ({
    zoom: matchMedia(NARROW).matches ? NEAR : 1,
    anchor: BEGINNING,
  }))
  const { zoom } = view

  useLayoutEffect(() => {
    const { x, y, left, top } = view.anchor
    const shown = frame.current
    if (ready)
      shown?.scrollTo(
        x * shown.scrollWidth - left * shown.clientWidth,
        y * shown.scrollHeight - top * shown.clientHeight,
      )
  }, [view, ready])

  const zoomTo = (wanted: number, at?: { clientX: number; clientY: number }) => {
    const shown = frame.current
    if (!shown) return
    const box = shown.getBoundingClientRect()
    const left = at ? (at.clientX - box.left) / Math.max(1, box.width) : 0.5
    const top = at ? (at.clientY - box.top) / Math.max(1, box.height) : 0.5
    const x = (shown.scrollLeft + left * shown.clientWidth) / Math.max(1, shown.scrollWidth)
    const y = (shown.scrollTop + top * shown.clientHeight) / Math.max(1, shown.scrollHeight)
    setView({ zoom: Math.min(MOST, Math.max(1, wanted)), anchor: { x, y, left, top } })
  }

  /** Moves the picture in its frame; gives what was more than it could be moved. */
  const pan = (dx: number, dy: number): { dx: number; dy: number } => {
    const shown = frame.current
    if (!shown) return { dx, dy }
    const { scrollLeft, scrollTop } = shown
    shown.scrollBy(dx, dy)
    return { dx: dx - (shown.scrollLeft - scrollLeft), dy: dy - (shown.scrollTop - scrollTop) }
  }
  return { frame, zoom, zoomTo, pan, least: zoom <= 1, most: zoom >= MOST }
}

/** What there is to make the picture larger and smaller. */
export type Zoom = ReturnType<typeof useZoom>
