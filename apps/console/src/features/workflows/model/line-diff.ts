/** A line of a comparison: in both, only before, or only after. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Compares two texts line by line, by their longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1
  const line = (kind: DiffLine['kind']) => (text: string) => ({ kind, text })
  return [
    ...before.slice(0, head).map(line('same')),
    ...diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(line('same')),
  ]
}

/** Beyond this the table would cost more memory than the comparison is worth: all is shown as replaced. */
const MAX_CELLS = 4_000_000

function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1
  if ((before.length + 1) * width > MAX_CELLS)
    return [
      ...before.map((text) => ({ kind: 'removed' as const, text })),
      ...after.map((text) => ({ kind: 'added' as const, text })),
    ]
  const lengths = new Uint32Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const result: DiffLine[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]]
    if (old !== undefined && old === fresh) {
      result.push({ kind: 'same', text: old })
      row += 1
      column += 1
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      result.push({ kind: 'removed', text: old })
      row += 1
    } else if (fresh !== undefined) {
      result.push({ kind: 'added', text: fresh })
      column += 1
    }
  }
  return result
}

/** A stretch of a comparison: lines to show, or how many equal ones are left out. */
export type DiffPart = { kind: 'lines'; lines: DiffLine[] } | { kind: 'gap'; count: number }

/** Leaves out equal lines further than `context` from a change. */
export function foldEqual(lines: readonly DiffLine[], context = 3): DiffPart[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same'),
  )
  const parts: DiffPart[] = []
  lines.forEach((line, index) => {
    const last = parts.at(-1)
    if (near[index]) {
      if (last?.kind === 'lines') last.lines.push(line)
      else parts.push({ kind: 'lines', lines: [line] })
    } else if (last?.kind === 'gap') last.count += 1
    else parts.push({ kind: 'gap', count: 1 })
  })
  return parts
}
