/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
/** A JSON object. */
export type JsonObject = { [key: string]: Json }

/** Keys that reach a prototype when an object is copied carelessly; no document may hold them. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Why a value may not be taken as JSON, and where. */
export interface JsonProblem {
  code: 'json.too_deep' | 'json.forbidden_key' | 'json.not_json' | 'json.unstorable'
  path: string
}

/** Whether the database and UTF-8 can hold a text: a NUL or half of a surrogate pair they cannot. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * Checks that a value is plain JSON of at most `maxDepth` levels without forbidden keys and with storable texts. It walks with its own stack,
 * so a value made to be deep cannot exhaust the caller's.
 */
export function findJsonProblem(value: unknown, maxDepth: number): JsonProblem | undefined {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }]
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { value: current, path, depth } = entry
    if (current === null || typeof current === 'boolean') continue
    if (typeof current === 'string') {
      if (!isStorable(current)) return { code: 'json.unstorable', path }
      continue
    }
    if (typeof current === 'number') {
      if (!Number.isFinite(current)) return { code: 'json.not_json', path }
      continue
    }
    if (current === undefined && depth > 0) continue
    if (typeof current !== 'object') return { code: 'json.not_json', path }
    if (depth >= maxDepth) return { code: 'json.too_deep', path }
    for (const key of Object.keys(current)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (FORBIDDEN_KEYS.has(key)) return { code: 'json.forbidden_key', path: inner }
      if (!isStorable(key)) return { code: 'json.unstorable', path: inner }
      stack.push({ value: Reflect.get(current, key), path: inner, depth: depth + 1 })
    }
  }
  return undefined
}

/** The length of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Whether a value is a JSON object (not null, not a list). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
