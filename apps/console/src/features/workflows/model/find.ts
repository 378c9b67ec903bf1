import type { Activity } from '@weft/workflow/document'
import type { OutlineRow } from '@weft/workflow/outline'
import { valuesOf } from './summary.ts'

/** The ids of the steps whose name, id, kind or values hold every word that was typed, in the order of the outline. */
export function stepsFound(
  rows: readonly OutlineRow[],
  typed: string,
  titleOf: (activity: Activity) => string,
): string[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return rows.flatMap((row) => {
    if (row.kind !== 'step') return []
    const { activity } = row
    const values = valuesOf(activity).map(({ text }) => text)
    const hay = [activity.name ?? '', activity.id, titleOf(activity), ...values]
      .join('\n')
      .toLocaleLowerCase()
    return words.every((word) => hay.includes(word)) ? [activity.id] : []
  })
}

/** The one that comes after `from` among those found, or before it; round at the ends. */
export function nextFound(found: readonly string[], from: string | null, by: 1 | -1): string | undefined {
  const index = from === null ? -1 : found.indexOf(from)
  if (index === -1) return by === 1 ? found[0] : found.at(-1)
  return found[(index + by + found.length) % found.length]
}
