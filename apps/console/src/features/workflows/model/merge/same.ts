import type { WorkflowDocument } from '@weft/workflow/document'

/** Whether two plain values hold the same; a key without a value is as good as none, and nothing as good as null. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (a ?? null) === (b ?? null)) return true
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => same(item, b[index]))
    )
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a).filter((key) => a[key] !== undefined)
  return (
    keys.length === Object.keys(b).filter((key) => b[key] !== undefined).length &&
    keys.every((key) => b[key] !== undefined && same(a[key], b[key]))
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

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
