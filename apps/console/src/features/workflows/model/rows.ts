import type { OutlineRow } from '@weft/workflow/outline'

/** The key of a row: the step's id, or its container and the body. */
export function rowKey(row: OutlineRow): string {
  return row.kind === 'step' ? row.activity.id : bodyKey(row.owner.id, row.outcome.name)
}

/** The key of the heading of a body. */
export function bodyKey(owner: string, outcome: string): string {
  return `${owner}/${outcome}`
}

/** Rows that are seen: those below a folded container or body are left out. */
export function visibleRows(rows: readonly OutlineRow[], folded: ReadonlySet<string>): OutlineRow[] {
  const seen: OutlineRow[] = []
  let hiddenBelow: number | undefined
  for (const row of rows) {
    if (hiddenBelow !== undefined && row.depth > hiddenBelow) continue
    hiddenBelow = undefined
    seen.push(row)
    if (folded.has(rowKey(row))) hiddenBelow = row.depth
  }
  return seen
}

/** Whether rows lie below this one. */
export function hasInner(rows: readonly OutlineRow[], index: number): boolean {
  const row = rows[index]
  const next = rows[index + 1]
  return row !== undefined && next !== undefined && next.depth > row.depth
}

/** The row that this one lies in. */
export function parentIndex(rows: readonly OutlineRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0
  for (let at = index - 1; at >= 0; at -= 1) if ((rows[at]?.depth ?? 0) < depth) return at
  return -1
}

/** Where the focus goes, and what is folded or opened on the way. */
export interface Step {
  to: number
  fold?: string
  unfold?: string
}

/** Where an arrow leads. `all` are all rows, `rows` those that are seen, `index` is where the focus is among the latter. */
export function walk(
  command: 'up' | 'down' | 'first' | 'last' | 'out' | 'in',
  options: {
    all: readonly OutlineRow[]
    rows: readonly OutlineRow[]
    index: number
    folded: ReadonlySet<string>
  },
): Step {
  const { all, rows, index, folded } = options
  const row = rows[index]
  if (!row) return { to: rows.length > 0 ? 0 : -1 }
  const key = rowKey(row)
  const last = rows.length - 1
  if (command === 'up') return { to: Math.max(0, index - 1) }
  if (command === 'down') return { to: Math.min(last, index + 1) }
  if (command === 'first') return { to: 0 }
  if (command === 'last') return { to: last }
  if (command === 'out') {
    if (hasInner(rows, index)) return { to: index, fold: key }
    const parent = parentIndex(rows, index)
    return { to: parent === -1 ? index : parent }
  }
  if (folded.has(key)) return { to: index, unfold: key }
  const among = all.findIndex((other) => rowKey(other) === key)
  return { to: hasInner(all, among) ? index + 1 : index }
}

/** The steps from one row to another, both included, for a selection by Shift. */
export function stepsBetween(rows: readonly OutlineRow[], from: string, to: string): string[] {
  const a = rows.findIndex((row) => rowKey(row) === from)
  const b = rows.findIndex((row) => rowKey(row) === to)
  if (a === -1 || b === -1) return []
  return rows
    .slice(Math.min(a, b), Math.max(a, b) + 1)
    .flatMap((row) => (row.kind === 'step' ? [row.activity.id] : []))
}

/** The row to focus once some steps are gone: the next that stays, else the one before. */
export function rowAfterRemoval(rows: readonly OutlineRow[], gone: ReadonlySet<string>, from: string) {
  const isGone = (row: OutlineRow) => gone.has(row.kind === 'step' ? row.activity.id : row.owner.id)
  const index = rows.findIndex((row) => rowKey(row) === from)
  const stays =
    rows.slice(index).find((row) => !isGone(row)) ?? rows.slice(0, index).findLast((row) => !isGone(row))
  return stays ? rowKey(stays) : null
}

/** Where a row stands among those beside it: which one, and of how many. */
export interface Position {
  index: number
  size: number
}

/** The position of every row among the rows of its parent, for those who cannot see the indent. */
export function positionsOf(rows: readonly OutlineRow[]): Position[] {
  const positions: Position[] = []
  const open: { depth: number; family: Position[] }[] = []
  for (const row of rows) {
    while ((open.at(-1)?.depth ?? -1) > row.depth) open.pop()
    let level = open.at(-1)
    if (level?.depth !== row.depth) {
      level = { depth: row.depth, family: [] }
      open.push(level)
    }
    const position = { index: level.family.length + 1, size: 0 }
    level.family.push(position)
    for (const one of level.family) one.size = level.family.length
    positions.push(position)
  }
  return positions
}
