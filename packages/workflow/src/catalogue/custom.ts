import type { WorkflowDocument } from '../document.ts'
import { isJsonObject } from '../json.ts'

/** The results that a document gives: those that any of its steps which end it names. */
export function resultsOf({ activities }: WorkflowDocument): string[] {
  const names = activities.flatMap(({ type, state, disabled }) => {
    const rows = state['outputs']
    if (type !== 'finish' || disabled || state['result'] === 'failure' || !Array.isArray(rows)) return []
    return rows.flatMap((row) => (isJsonObject(row) && typeof row['name'] === 'string' ? [row['name']] : []))
  })
  return [...new Set(names)].sort()
}
