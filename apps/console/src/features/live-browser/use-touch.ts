import { useRef, type TouchEvent, type TouchList } from 'react'
import type { AttendInput } from '@weft/contract/attended-runs/schema'
import { placeIn } from './place.ts'
import type { Zoom } from './use-zoom.ts'

/** A wheel's turn is told as no more than this. */
const clamp = (value: number) => Math.min(5000, Math.max(-5000, value))

interface Held {
  x: number
  y: number
  /** How far two fingers are apart; 0 for one. */
  apart: number
}

/**
 * Fingers on the picture: two make it larger and smaller, one moves it, and where it cannot be moved any further, scrolls the
 * page. A tap comes as a click of the mouse, as browsers make it.
 */
export function useTouch(
  { zoom, zoomTo, pan }: Pick<Zoom, 'zoom' | 'zoomTo' | 'pan'>,
  act: ((event: AttendInput) => void) | null,
  pageWidth: number,
) {
  const held = useRef<Held | null>(null)
  const hold = (event: TouchEvent<HTMLCanvasElement>) => {
    held.current = heldBy(event.touches)
  }
  const move = (event: TouchEvent<HTMLCanvasElement>) => {
    const before = held.current
    const now = heldBy(event.touches)
    held.current = now
    if (!before || !now) return
    const left = pan(before.x - now.x, before.y - now.y)
    const at = { clientX: now.x, clientY: now.y }
    if (before.apart > 0 && now.apart > 0) return zoomTo((zoom * now.apart) / before.apart, at)
    if (!act || now.apart > 0 || (left.dx === 0 && left.dy === 0)) return
    const scale = pageWidth / Math.max(1, event.currentTarget.clientWidth)
    act({
      type: 'wheel',
      ...placeIn(event.currentTarget, at),
      dx: clamp(left.dx * scale),
      dy: clamp(left.dy * scale),
      modifiers: 0,
    })
  }
  return { onTouchStart: hold, onTouchEnd: hold, onTouchCancel: hold, onTouchMove: move }
}

function heldBy(touches: TouchList): Held | null {
  const [a, b] = [touches.item(0), touches.item(1)]
  if (!a) return null
  if (!b) return { x: a.clientX, y: a.clientY, apart: 0 }
  return {
    x: (a.clientX + b.clientX) / 2,
    y: (a.clientY + b.clientY) / 2,
    apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
  }
}
