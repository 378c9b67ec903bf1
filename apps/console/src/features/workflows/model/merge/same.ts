import { canonicalJson } from '@weft/contract/core/canonical'
import type { WorkflowDocument } from '@weft/workflow/document'

/** Whether two plain values hold the same. */
export function same(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || canonicalJson(a ?? null) === canonicalJson(b ?? null)
}

/**
 * Whether two documents hold the same. Edits leave alone what they do not change, so most steps are the very same object
 * on both sides and need no look.
 */
export function sameDocument(a: WorkflowDocument, b: WorkflowDocument): boolean {
  if (a === b) return true
  const { activities: mine, ...rest } = a
  const { activities: theirs, ...others } = b
  return (
    mine.length === theirs.length &&
    mine.every((activity, index) => same(activity, theirs[index])) &&
    same(rest, others)
  )
}
