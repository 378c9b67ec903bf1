/** One field that a change touched, by its path. */
export interface FieldChange {
  path: string
  before: unknown
  after: unknown
}

/** Fields that change with every change, and say nothing. */
const QUIET = new Set(['version', 'updatedAt', 'can', 'cannot'])
const DEPTH = 4

/** What is other than before, by path; what is only there after a making, or before a removal, is told as such. */
export function fieldChanges(before: unknown, after: unknown, path = '', depth = 0): FieldChange[] {
  if (same(before, after)) return []
  // What came or went as a whole is told part by part.
  const old = isRecord(before) ? before : isNothing(before) ? {} : undefined
  const now = isRecord(after) ? after : isNothing(after) ? {} : undefined
  if (old && now && depth < DEPTH) {
    const names = new Set([...Object.keys(old), ...Object.keys(now)])
    return [...names]
      .filter((name) => depth > 0 || !QUIET.has(name))
      .flatMap((name) => fieldChanges(old[name], now[name], path ? `${path}.${name}` : name, depth + 1))
  }
  return [{ path, before, after }]
}

const isNothing = (value: unknown) => value === null || value === undefined

/** Whether a value is names with values. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
