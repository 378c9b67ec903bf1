import type { WorkflowDocument } from '@weft/workflow/document'
import { valueAt } from '@weft/workflow/interpret/plain-paths'
import type { JsonObject } from '@weft/workflow/json'
import { stepsInOrder } from '@weft/workflow/outline'

/**
 * Where a browser begins that is opened from a step: the address that was opened last before it; of one that is worked out,
 * what the last test run made of it. Empty where neither is known.
 */
export function firstAddress(document: WorkflowDocument, stepId: string | null, known: JsonObject): string {
  const steps = stepsInOrder(document)
  const at = steps.findIndex(({ id }) => id === stepId)
  const before = at < 0 ? steps : steps.slice(0, at + 1)
  for (const { id, state } of before.toReversed()) {
    const { url } = state
    if (typeof url === 'string' && /^https?:\/\//i.test(url) && !url.includes('{{')) return url
    const was = typeof url === 'string' ? valueAt(known, `steps.${id}.url`) : undefined
    if (typeof was === 'string' && /^https?:\/\//i.test(was)) return was
  }
  return ''
}
