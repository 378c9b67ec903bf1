import { LEAST_WIDTH, MOST_WIDTH } from './arrangement.ts'

const STEP = 16

function widthOf(edge: HTMLElement): number {
  return edge.closest('th')?.offsetWidth ?? LEAST_WIDTH
}

/** The width that a column has after an arrow key on its edge. */
export function step(edge: HTMLElement, key: string): number {
  const towardsEnd = (key === 'ArrowRight') === (document.dir !== 'rtl')
  return widthOf(edge) + (towardsEnd ? STEP : -STEP)
}

/**
 * Follows the pointer until it lets go. Meanwhile only the table's variable for the column changes; what it came to is
 * kept at the end.
 */
export function drag(
  begun: {
    edge: HTMLElement
    from: number
    pointerId: number
    /** The column's cells have the width that the variable says. */
    fixed: boolean
    table: HTMLElement | null
    at: number
  },
  keep: (width: number) => void,
): void {
  const { edge, from, table, at } = begun
  // It was let go before this was loaded: a click that moved nothing.
  if (!edge.hasPointerCapture(begun.pointerId)) return
  const start = widthOf(edge)
  let width = start
  if (!begun.fixed) keep(start)
  const move = (moved: PointerEvent) => {
    const by = (moved.clientX - from) * (document.dir === 'rtl' ? -1 : 1)
    width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, start + by))
    table?.style.setProperty(`--w${at}`, `${width}px`)
  }
  const end = () => {
    edge.removeEventListener('pointermove', move)
    if (width !== start) keep(width)
  }
  edge.addEventListener('pointermove', move)
  edge.addEventListener('lostpointercapture', end, { once: true })
}
