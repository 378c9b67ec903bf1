import type { CSSProperties } from 'react'
import type { PlacedColumn } from './arrangement.ts'

/** What a table of rows is made of, the same for every row. */
export interface TableLayout<T> {
  placed: readonly PlacedColumn<T>[]
  selectable: boolean
  menu: boolean
}

/** How a cell of a column stands: as wide as was chosen, and where it stays if it is pinned. */
export function cellStyle<T>(
  { column, width, start }: PlacedColumn<T>,
  at: number,
): CSSProperties | undefined {
  const pin = start === undefined ? undefined : { insetInlineStart: start }
  if (width !== undefined) {
    // The width is a variable of the table, so that dragging an edge changes one value and not every cell.
    const chosen = `var(--w${at})`
    return { width: chosen, minWidth: chosen, maxWidth: chosen, ...pin }
  }
  return column.width ? { maxWidth: column.width } : undefined
}
