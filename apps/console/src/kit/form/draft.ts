import { without, type Values } from './paths.ts'

const DAYS_KEPT = 7
const PREFIX = 'Form::Draft::'

/** Where a draft is kept: one per person, feature and record. */
export function draftKey(userId: string | undefined, feature: string, id: string | undefined): string {
  return `${PREFIX}${userId ?? 'visitor'}::${feature}::${id ?? 'new'}`
}

/** A kept draft, with the version of the record that it was typed on. */
export interface Draft {
  values: Values
  version: number | null
  at: number
}

/** Writes a draft, without the secrets. */
export function writeDraft(
  key: string,
  values: Values,
  version: number | null,
  secrets: ReadonlySet<string>,
): void {
  const draft: Draft = { values: without(values, secrets), version, at: Date.now() }
  try {
    localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // No room or no storage: the form itself still holds what was typed.
  }
}

/** Reads a draft that is not too old. */
export function readDraft(key: string, now: number): Draft | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (value === null || typeof value !== 'object' || !('values' in value) || !('at' in value))
      return undefined
    const { values, at } = value
    if (typeof at !== 'number' || now - at > DAYS_KEPT * 86_400_000) return undefined
    if (values === null || typeof values !== 'object') return undefined
    const version = 'version' in value && typeof value.version === 'number' ? value.version : null
    return { values: { ...values }, version, at }
  } catch {
    return undefined
  }
}

/** Forgets a draft. */
export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing was kept then.
  }
}
