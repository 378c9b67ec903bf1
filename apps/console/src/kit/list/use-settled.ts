import { useState } from 'react'
import { rowId } from './options.ts'
import { settle } from './settle.ts'

interface Shown<T> {
  place: string
  /** What is shown was kept from an earlier visit; the first answer since then has not come. */
  arriving: boolean
  source: readonly T[]
  held: boolean
  rows: readonly T[]
  waiting: boolean
  gone: ReadonlySet<string>
}

/**
 * The rows to show, kept in place while held. `place` is the page and search they belong to: other ones are shown at
 * once, and `stale` rows are those of the place before. Who has only just come has not looked at a row yet: the first
 * answer after coming takes its place even under a resting pointer.
 */
export function useSettled<T>(
  source: readonly T[],
  options: { place: string; stale: boolean; held: boolean; fetching: boolean },
) {
  const { place, stale, held, fetching } = options
  const [shown, setShown] = useState<Shown<T>>({
    place,
    arriving: fetching,
    source,
    held,
    rows: source,
    waiting: false,
    gone: new Set(),
  })
  const isElsewhere = !stale && shown.place !== place
  const arriving = fetching && (shown.arriving || isElsewhere)
  if (shown.source === source && shown.held === held && shown.arriving === arriving && !isElsewhere)
    return shown
  const settled = settle(shown.rows, source, held && !isElsewhere && !stale && !shown.arriving, rowId)
  const next = { ...settled, place: stale ? shown.place : place, arriving, source, held }
  setShown(next)
  return next
}
