import { useState } from 'react'
import { rowId } from './options.ts'
import { settle } from './settle.ts'

interface Shown<T> {
  place: string
  source: readonly T[]
  held: boolean
  rows: readonly T[]
  waiting: boolean
  gone: ReadonlySet<string>
}

/**
 * The rows to show, kept in place while held. `place` is the page and search they belong to: other ones are shown at
 * once, and `stale` rows are those of the place before.
 */
export function useSettled<T>(
  source: readonly T[],
  options: { place: string; stale: boolean; held: boolean },
) {
  const { place, stale, held } = options
  const [shown, setShown] = useState<Shown<T>>({
    place,
    source,
    held,
    rows: source,
    waiting: false,
    gone: new Set(),
  })
  if (shown.source === source && shown.held === held && (stale || shown.place === place)) return shown
  const settled = settle(shown.rows, source, held && shown.place === place && !stale, rowId)
  const next = {
    place: stale ? shown.place : place,
    source,
    held,
    rows: settled.rows,
    waiting: settled.waiting,
    gone: settled.gone,
  }
  setShown(next)
  return next
}
