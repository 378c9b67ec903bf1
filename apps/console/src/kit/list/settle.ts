/** What a list shows of an answer that came while somebody may be about to click. */
export interface Settled<T> {
  rows: readonly T[]
  /** The answer has other rows, or another order, than is shown. */
  waiting: boolean
  /** The ids of rows that are shown and that the answer has no more. */
  gone: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/**
 * New values take their place at once; rows neither move, come nor go while `held` (the pointer or the keyboard is among
 * them). What waits is shown when they leave.
 */
export function settle<T>(
  shown: readonly T[],
  next: readonly T[],
  held: boolean,
  idOf: (row: T) => string,
): Settled<T> {
  if (!held || shown.length === 0) return { rows: next, waiting: false, gone: NONE }
  const fresh = new Map(next.map((row) => [idOf(row), row]))
  // A place whose row has not come yet takes what comes.
  const rows = shown.map((row, at) => (row === undefined ? (next[at] ?? row) : (fresh.get(idOf(row)) ?? row)))
  const same =
    rows.length === next.length &&
    rows.every((row, at) => row === undefined || idOf(row) === idOf(next[at] ?? row))
  if (same) return { rows: next, waiting: false, gone: NONE }
  const gone = rows.filter((row) => row !== undefined && !fresh.has(idOf(row))).map(idOf)
  return { rows, waiting: true, gone: new Set(gone) }
}
