import type { WorkflowDocument } from '../document.ts'
import { outlineOf } from '../outline.ts'

/** The outline in a few lines: two spaces for each level, `-` before the heading of a body. */
export const lines = (document: WorkflowDocument) =>
  outlineOf(document).map((row) => {
    const text = row.kind === 'step' ? row.activity.id : `-${row.outcome.name}${row.empty ? ' (empty)' : ''}`
    return `${'  '.repeat(row.depth)}${text}${row.unreachable ? ' ?' : ''}`
  })

/** Freezes a value all through, so that a test fails where something changes it. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}
