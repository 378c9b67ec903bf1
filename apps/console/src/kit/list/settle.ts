/** What a list shows of an answer that came while somebody may be about to click. */
export interface Settled<T> {
  rows: readonly T[]
  /** The answer has other rows, or another order, than is shown. */
  waiting: boolean
}

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
  if (!held || shown.length === 0) return { rows: next, waiting: false }
  const fresh = new Map(next.map((row) => [idOf(row), row]))
  // A place whose row has not come yet takes what comes.
  const rows = shown.map((row, at) => (row === undefined ? (next[at] ?? row) : (fresh.get(idOf(row)) ?? row)))
  const same =
    rows.length === next.length &&
    rows.every((row, at) => row === undefined || idOf(row) === idOf(next[at] ?? row))
  return same ? { rows: next, waiting: false } : { rows, waiting: true }
}
