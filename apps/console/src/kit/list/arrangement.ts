import type { Arrangement } from '@weft/contract/views/schema'
import type { Column } from './columns.tsx'

/** Nothing said of any column: the list stands as it comes. */
export const AS_IT_COMES: Arrangement = { order: [], shown: {}, widths: {}, pinned: [] }

export const LEAST_WIDTH = 64
export const MOST_WIDTH = 1200
/** A pinned column has a width of its own, or nobody knew where the next one begins. */
const PINNED_WIDTH = 200
/** What stands before the first column where rows can be chosen. */
export const CHECK_WIDTH = 40

/** Whether nothing was arranged. */
export function isAsItComes({ order, shown, widths, pinned }: Arrangement): boolean {
  return (
    order.length === 0 &&
    pinned.length === 0 &&
    Object.keys(shown).length === 0 &&
    Object.keys(widths).length === 0
  )
}

/** Whether a column is shown. The name always is. */
export function isShown<T>(column: Column<T>, { shown }: Arrangement): boolean {
  return column.isName === true || (shown[column.id] ?? !column.hidden)
}

/**
 * All columns in their order: the arranged ones as they were put, one that is not named after the one it follows in the
 * list itself, so that a new column of the product appears where it belongs.
 */
export function inOrder<T>(columns: readonly Column<T>[], { order, pinned }: Arrangement): Column<T>[] {
  const known = new Map(columns.map((column) => [column.id, column]))
  const placed = order.flatMap((id) => known.get(id) ?? [])
  for (const [at, column] of columns.entries()) {
    if (placed.includes(column)) continue
    const before = columns
      .slice(0, at)
      .toReversed()
      .find((one) => placed.includes(one))
    placed.splice(before ? placed.indexOf(before) + 1 : 0, 0, column)
  }
  const isPinned = (column: Column<T>) => pinned.includes(column.id)
  return [...placed.filter(isPinned), ...placed.filter((column) => !isPinned(column))]
}

/** The columns that are shown, in their order. */
export function shownColumns<T>(columns: readonly Column<T>[], arrangement: Arrangement): Column<T>[] {
  return inOrder(columns, arrangement).filter((column) => isShown(column, arrangement))
}

/** A column with its place in the table. */
export interface PlacedColumn<T> {
  column: Column<T>
  /** Its width in pixels, where it has one. */
  width: number | undefined
  /** Pinned: how far from the start it stands. */
  start: number | undefined
  /** The last of the pinned ones, which has an edge. */
  edge: boolean
}

/** Where each shown column stands. */
export function placeColumns<T>(
  columns: readonly Column<T>[],
  arrangement: Arrangement,
  before: number,
): PlacedColumn<T>[] {
  let start = before
  const placed = shownColumns(columns, arrangement).map((column): PlacedColumn<T> => {
    const isPinned = arrangement.pinned.includes(column.id)
    const given = arrangement.widths[column.id]
    const width = given ?? (isPinned ? (column.width ?? PINNED_WIDTH) : undefined)
    const place = { column, width, start: isPinned ? start : undefined, edge: false }
    if (isPinned) start += width ?? PINNED_WIDTH
    return place
  })
  return placed.map((place, at) => ({
    ...place,
    edge: place.start !== undefined && placed[at + 1]?.start === undefined,
  }))
}

/** Puts a column to another place among all columns. */
export function moveColumn<T>(
  columns: readonly Column<T>[],
  arrangement: Arrangement,
  id: string,
  to: number,
): Arrangement {
  const ids = inOrder(columns, arrangement).map((column) => column.id)
  const from = ids.indexOf(id)
  if (from < 0) return arrangement
  // A pinned column moves among the pinned ones, another among the others.
  const pinnedCount = ids.filter((one) => arrangement.pinned.includes(one)).length
  const [least, most] = from < pinnedCount ? [0, pinnedCount - 1] : [pinnedCount, ids.length - 1]
  const target = Math.min(most, Math.max(least, to))
  if (target === from) return arrangement
  ids.splice(from, 1)
  ids.splice(target, 0, id)
  // Moved back to where it came from, it is as it comes.
  const usual = inOrder(columns, { ...arrangement, order: [] })
  return { ...arrangement, order: usual.every((column, at) => column.id === ids[at]) ? [] : ids }
}

/** Shows or hides a column. */
export function showColumn(arrangement: Arrangement, id: string, shown: boolean): Arrangement {
  return { ...arrangement, shown: { ...arrangement.shown, [id]: shown } }
}

/** Pins a column to the start, or lets it go. */
export function pinColumn(arrangement: Arrangement, id: string, pinned: boolean): Arrangement {
  const others = arrangement.pinned.filter((one) => one !== id)
  return { ...arrangement, pinned: pinned ? [...others, id] : others }
}

/** Gives a column a width, or with null the one that it takes by itself. */
export function resizeColumn(arrangement: Arrangement, id: string, width: number | null): Arrangement {
  const { [id]: _old, ...others } = arrangement.widths
  if (width === null) return { ...arrangement, widths: others }
  const whole = Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)))
  return { ...arrangement, widths: { ...others, [id]: whole } }
}
