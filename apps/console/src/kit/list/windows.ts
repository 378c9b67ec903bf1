/** Rows that All fetches at a time. */
export const WINDOW = 100
/** Windows that are kept on either side of what is in sight. */
const NEAR = 3

/** The height of a row of All; all are alike, so that a place is found by counting. */
export const ROW_HEIGHT = 45
/** No browser makes an element as high as a million rows; beyond this, one pixel of the bar stands for several. */
export const MOST_HEIGHT = 8_000_000
/** Rows drawn beyond the edges of what is in sight. */
const OVERSCAN = 8

/** The windows to have for the rows in sight, the first always among them: it tells how many there are. */
export function nearWindows(known: readonly number[], from: number, to: number): number[] {
  const start = Math.floor(Math.max(0, from) / WINDOW) + 1
  const end = Math.floor(Math.max(0, to) / WINDOW) + 1
  const near = known.filter((page) => page === 1 || (page >= start - NEAR && page <= end + NEAR))
  const wanted = Array.from({ length: end - start + 1 }, (_, at) => start + at)
  return [...new Set([1, ...near, ...wanted])].toSorted((a, b) => a - b)
}

/** A list in its box: how high its rows are together, and how high the element is that stands for them. */
export interface Extent {
  count: number
  /** The height of the box, without what is sticky at its top. */
  view: number
}

/** The height of the element that stands for all rows. */
export function drawnHeight({ count }: Extent): number {
  return Math.min(count * ROW_HEIGHT, MOST_HEIGHT)
}

/** How far down the rows can be scrolled. */
function deepest({ count, view }: Extent): number {
  return Math.max(0, count * ROW_HEIGHT - view)
}

/** How far down the box can be scrolled. */
function deepestDrawn(extent: Extent): number {
  return Math.max(0, drawnHeight(extent) - extent.view)
}

/** Where among the rows the box stands when its bar is here. */
export function offsetOf(scrollTop: number, extent: Extent): number {
  const most = deepestDrawn(extent)
  return most === 0 ? 0 : Math.min(1, Math.max(0, scrollTop / most)) * deepest(extent)
}

/** Where the bar belongs when the box stands here among the rows. */
export function scrollTopOf(offset: number, extent: Extent): number {
  const most = deepest(extent)
  return most === 0 ? 0 : (offset / most) * deepestDrawn(extent)
}

/**
 * Where the box stands after a scroll. A small step, as by wheel and keys, moves the rows by just so much, also where a
 * pixel of the bar stands for many rows; a jump of the bar goes to its place, and the ends are the ends.
 */
export function afterScroll(
  before: { offset: number; scrollTop: number },
  scrollTop: number,
  extent: Extent,
): number {
  const step = scrollTop - before.scrollTop
  const most = deepestDrawn(extent)
  const isScaled = extent.count * ROW_HEIGHT > MOST_HEIGHT
  if (!isScaled || Math.abs(step) > extent.view * 2 || scrollTop <= 0 || scrollTop >= most)
    return offsetOf(scrollTop, extent)
  return Math.min(deepest(extent), Math.max(0, before.offset + step))
}

/** How many rows are drawn at once at most. */
export function mostDrawn(view: number): number {
  return Math.ceil(view / ROW_HEIGHT) + 2 * OVERSCAN + 2
}

/** Which rows are drawn, and how far from the top of the element the first of them is. */
export function drawnRows(
  place: { offset: number; scrollTop: number },
  extent: Extent,
): { first: number; last: number; top: number } {
  const first = Math.max(0, Math.floor(place.offset / ROW_HEIGHT) - OVERSCAN)
  const last = Math.min(extent.count - 1, Math.ceil((place.offset + extent.view) / ROW_HEIGHT) + OVERSCAN)
  const top = Math.max(0, Math.round(place.scrollTop + first * ROW_HEIGHT - place.offset))
  return { first, last, top }
}
