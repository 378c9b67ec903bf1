import type { MouseEvent } from 'react'

/** Where the menu of an element opens: at the pointer, or below the element where a key asked for it. */
export function menuPlace(event: MouseEvent): { x: number; y: number } {
  const box = event.currentTarget.getBoundingClientRect()
  const { clientX: x, clientY: y } = event
  const within = x > box.left && x < box.right && y > box.top && y < box.bottom
  if (within) return { x, y }
  const rtl = document.documentElement.dir === 'rtl'
  return { x: rtl ? box.right - 8 : box.left + 8, y: box.bottom }
}
