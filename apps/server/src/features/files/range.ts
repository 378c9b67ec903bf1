import type { ByteRange } from '../../kit/file-store.ts'

/**
 * The part that a `Range` header asks for; undefined for the whole (also where the header asks for several parts or for
 * another unit, as RFC 9110 allows), 'unsatisfiable' where there is no such part.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!found) return undefined
  const [, first = '', last = ''] = found
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Number(last)
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
