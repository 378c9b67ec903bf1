import { useRef, useState, type PointerEvent } from 'react'
import type { Place, Row } from '../model/tree.ts'
import { childrenOf } from '../model/tree.ts'

/** Where what is being dragged would land: on which line, before or after it, or in the group that it is. */
export interface Drop {
  key: string
  where: 'before' | 'after' | 'inside'
}

/** The place that a drop means. */
export function placeOf(rows: readonly Row[], { key, where }: Drop): Place | undefined {
  const row = rows.find((one) => one.key === key)
  if (!row) return undefined
  if (where === 'inside') return { parent: key, index: childrenOf(row.entry)?.length ?? 0 }
  return { parent: row.parent, index: where === 'before' ? row.index : row.index + 1 }
}

/** What a pointer over a line means: its edges are before and after, the middle of a group is inside. */
export function dropAt(row: Row, dragged: Row, share: number): Drop {
  const isGroup = childrenOf(row.entry) !== undefined
  const mayEnter = isGroup && childrenOf(dragged.entry) === undefined
  if (mayEnter && share > 0.28) return { key: row.key, where: 'inside' }
  return { key: row.key, where: share < 0.5 ? 'before' : 'after' }
}

/** Scrolls when the pointer is so near to the window's edge. */
const EDGE_PX = 56
const SCROLL_PX = 14

/**
 * Drags lines by their handles with any pointer. The handle keeps the pointer, so that nothing else hears of it; lines are
 * found by where they are on the screen.
 */
export function useDrag(rows: readonly Row[], onDrop: (key: string, place: Place) => void) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [drop, setDrop] = useState<Drop | null>(null)
  const moved = useRef(false)

  const over = (event: PointerEvent, key: string): Drop | null => {
    const found = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest<HTMLElement>('[data-row]'))
      .find((element) => element !== null)
    const row = rows.find((one) => one.key === found?.dataset['row'])
    const own = rows.find((one) => one.key === key)
    // On itself, and on what it holds, it stays where it is.
    if (!found || !row || !own || row.key === key || row.parent === key) return null
    const { top, height } = found.getBoundingClientRect()
    const target = dropAt(row, own, (event.clientY - top) / height)
    // A group cannot be within another: it lands beside it.
    return own && childrenOf(own.entry) && row.parent !== null ? { key: row.parent, where: 'after' } : target
  }
  const end = () => {
    setDragged(null)
    setDrop(null)
  }

  return {
    dragged,
    drop,
    handle: (key: string) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        moved.current = false
        setDragged(key)
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (dragged !== key) return
        moved.current = true
        if (event.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX)
        if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX)
        setDrop(over(event, key))
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (dragged !== key) return
        const target = moved.current ? over(event, key) : null
        const place = target && placeOf(rows, target)
        end()
        if (place) onDrop(key, place)
      },
      onPointerCancel: end,
    }),
  }
}
