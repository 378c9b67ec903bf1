import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import {
  afterScroll,
  drawnHeight,
  drawnRows,
  mostDrawn,
  offsetOf,
  ROW_HEIGHT,
  scrollTopOf,
} from './windows.ts'

/** What is sticky above the rows. */
const HEAD_HEIGHT = 40
/** The rows come to rest: then they are looked for, and the bar is put where it belongs. */
const REST_MS = 120

/** All rows of a list, of which only those in view are drawn and looked for. */
export default function WindowedRows(props: {
  count: number
  /** How many cells a row has. */
  span: number
  scroller: RefObject<HTMLElement | null>
  /** Told which rows are in view. */
  look: (from: number, to: number) => void
  /** What the list is about: another one begins at its first row. */
  place: string
  /** The row at a position; rows take turns in the slots that are drawn. */
  row: (at: number, slot: number) => ReactNode
}) {
  const { count, span, scroller, look, place: about } = props
  const [view, setView] = useState(600)
  const [place, setPlace] = useState({ offset: 0, scrollTop: 0 })
  const latest = useRef({ place, extent: { count, view } })
  const moved = useRef(0)
  useLayoutEffect(() => {
    latest.current = { place, extent: { count, view } }
  }, [place, count, view])

  useEffect(() => {
    const box = scroller.current
    if (!box) return undefined
    let resting: ReturnType<typeof setTimeout> | undefined
    const rest = () => {
      const { place: now, extent } = latest.current
      const { first, last } = drawnRows(now, extent)
      look(first, last)
      // A pixel of the bar may stand for many rows: after small steps it is a little off.
      const top = Math.round(scrollTopOf(now.offset, extent))
      if (Math.abs(top - box.scrollTop) > 1) {
        moved.current = top
        setPlace({ offset: now.offset, scrollTop: top })
        box.scrollTop = top
      }
    }
    const scrolled = () => {
      clearTimeout(resting)
      resting = setTimeout(rest, REST_MS)
      if (box.scrollTop === moved.current) {
        moved.current = -1
        return
      }
      const { place: before, extent } = latest.current
      const { scrollTop } = box
      const offset = afterScroll(before, scrollTop, extent)
      if (offset === before.offset && scrollTop === before.scrollTop) return
      // Drawn in the same frame as the scroll, or the rows would lag behind the bar.
      flushSync(() => setPlace({ offset, scrollTop }))
    }
    const sized = new ResizeObserver(() => setView(Math.max(ROW_HEIGHT, box.clientHeight - HEAD_HEIGHT)))
    sized.observe(box)
    box.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      clearTimeout(resting)
      sized.disconnect()
      box.removeEventListener('scroll', scrolled)
    }
  }, [scroller, look])

  useEffect(() => {
    const { first, last } = drawnRows(latest.current.place, { count: latest.current.extent.count, view })
    look(first, last)
  }, [look, view])

  const shown = useRef(about)
  useEffect(() => {
    if (shown.current === about) return
    shown.current = about
    setPlace({ offset: 0, scrollTop: 0 })
    scroller.current?.scrollTo({ top: 0 })
  }, [about, scroller])

  const extent = { count, view }
  const inside = { ...place, offset: Math.min(place.offset, offsetOf(drawnHeight(extent), extent)) }
  const { first, last, top } = drawnRows(inside, extent)
  const drawn = Math.max(0, last - first + 1)
  const below = drawnHeight(extent) - top - drawn * ROW_HEIGHT
  // As many as are ever drawn at once, so that a row keeps its slot while it is in sight.
  const slots = mostDrawn(view)
  return (
    <tbody data-windowed>
      {top > 0 && <Gap height={top} span={span} />}
      {Array.from({ length: drawn }, (_, index) => props.row(first + index, (first + index) % slots))}
      {below > 0 && <Gap height={below} span={span} />}
    </tbody>
  )
}

/** Room for the rows that are not drawn. */
function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }}>
        {''}
      </td>
    </tr>
  )
}
