import type { MenuTree } from '@weft/contract/routes/schema'
import { rowsOf, type Row } from './tree.ts'

/** How many entries a save touched, and in which way. */
export interface Summary {
  added: number
  removed: number
  moved: number
  renamed: number
  hidden: number
  shown: number
}

/** What is other between two menus. */
export function summaryOf(before: MenuTree, after: MenuTree): Summary {
  const old = new Map(rowsOf(before).map((row) => [row.key, row]))
  const now = new Map(rowsOf(after).map((row) => [row.key, row]))
  const both = [...now.values()].flatMap((row) => {
    const was = old.get(row.key)
    return was ? [{ was, row }] : []
  })
  return {
    added: [...now.keys()].filter((key) => !old.has(key)).length,
    removed: [...old.keys()].filter((key) => !now.has(key)).length,
    moved: movedAmong(both),
    renamed: both.filter(({ was, row }) => dressOf(was) !== dressOf(row)).length,
    hidden: both.filter(({ was, row }) => row.entry.hidden && !was.entry.hidden).length,
    shown: both.filter(({ was, row }) => !row.entry.hidden && was.entry.hidden).length,
  }
}

const dressOf = ({ entry }: Row) =>
  JSON.stringify([
    entry.titles?.en,
    entry.titles?.fr,
    entry.titles?.ar,
    entry.icon,
    'url' in entry && entry.url,
  ])

/** Those that changed their group, and of each group the fewest that must move to get its new order. */
function movedAmong(both: readonly { was: Row; row: Row }[]): number {
  const regrouped = both.filter(({ was, row }) => was.parent !== row.parent).length
  const groups = Map.groupBy(
    both.filter(({ was, row }) => was.parent === row.parent),
    ({ row }) => row.parent,
  )
  let shifted = 0
  for (const members of groups.values())
    shifted += members.length - longestRising(members.map(({ was }) => was.index))
  return regrouped + shifted
}

/** The length of the longest part of a list, in its order, that rises. */
function longestRising(numbers: readonly number[]): number {
  const best = numbers.map(() => 1)
  for (const [at, value] of numbers.entries())
    for (let earlier = 0; earlier < at; earlier += 1)
      if ((numbers[earlier] ?? 0) < value) best[at] = Math.max(best[at] ?? 1, (best[earlier] ?? 1) + 1)
  return Math.max(0, ...best)
}
