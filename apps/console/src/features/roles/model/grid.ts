/** Where a cell is: its row and its column. */
export interface Place {
  row: number
  column: number
}

/** Whether there is a cell at a place. */
export type Has = (place: Place) => boolean

/** Where a key leads in a grid with gaps; null where it leads nowhere. `rtl` turns left and right round. */
export function step(
  from: Place,
  key: string,
  size: { rows: number; columns: number },
  has: Has,
  options: { rtl: boolean; ctrl: boolean },
): Place | null {
  const left = options.rtl ? 'ArrowRight' : 'ArrowLeft'
  const right = options.rtl ? 'ArrowLeft' : 'ArrowRight'
  const { row, column } = from
  if (key === left) return along(from, 0, -1, size, has)
  if (key === right) return along(from, 0, 1, size, has)
  if (key === 'ArrowUp') return along(from, -1, 0, size, has)
  if (key === 'ArrowDown') return along(from, 1, 0, size, has)
  if (key === 'Home') return firstIn(options.ctrl ? rowsDown(size) : [row], columnsOf(size), has)
  if (key === 'End')
    return firstIn(options.ctrl ? rowsDown(size).toReversed() : [row], columnsOf(size).toReversed(), has)
  if (key === 'PageUp') return firstIn(rowsDown(size), [column], has)
  if (key === 'PageDown') return firstIn(rowsDown(size).toReversed(), [column], has)
  return null
}

function along(
  from: Place,
  down: number,
  across: number,
  size: { rows: number; columns: number },
  has: Has,
): Place | null {
  let { row, column } = from
  for (;;) {
    row += down
    column += across
    if (row < 0 || column < 0 || row >= size.rows || column >= size.columns) return null
    if (has({ row, column })) return { row, column }
  }
}

function firstIn(rows: readonly number[], columns: readonly number[], has: Has): Place | null {
  for (const row of rows) for (const column of columns) if (has({ row, column })) return { row, column }
  return null
}

const rowsDown = ({ rows }: { rows: number }) => Array.from({ length: rows }, (_, at) => at)
const columnsOf = ({ columns }: { columns: number }) => Array.from({ length: columns }, (_, at) => at)
