import { canonicalJson } from '@weft/contract/core/canonical'

/** Whether two plain values hold the same. */
export function same(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || canonicalJson(a ?? null) === canonicalJson(b ?? null)
}
