import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { SealPlace, Secrets } from '../secrets.ts'

/** Where the secret in a field of a record stands. */
export function secretPlace(table: PgTable, field: string, id: string): SealPlace {
  return { table: getTableName(table), column: field, row: id }
}

/** The columns for the secrets among an input's fields: sealed, or null where one is taken away. */
export function sealFields(
  secrets: Secrets,
  table: PgTable,
  fields: readonly string[],
  id: string,
  input: object,
): Record<string, string | null> {
  const columns: Record<string, string | null> = {}
  for (const field of fields) {
    const value: unknown = Reflect.get(input, field)
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    columns[field] = value === null ? null : secrets.seal(text, secretPlace(table, field, id))
  }
  return columns
}

/** The secret in a field of a row as it was given, or null where none is set. Lists come as JSON. */
export function openField(
  secrets: Secrets,
  table: PgTable,
  field: string,
  row: { id: string },
): string | null {
  const sealed: unknown = Reflect.get(row, field)
  return typeof sealed === 'string' ? secrets.open(sealed, secretPlace(table, field, row.id)) : null
}
