import { isDeepStrictEqual } from 'node:util'
import { getTableColumns } from 'drizzle-orm'
import type { Decisions } from '../../kit/context.ts'
import type { RecordDefinition } from '../../kit/resource/definition.ts'

type Values = Readonly<Record<string, unknown>>

/** Of the fields that a person gives, those that these columns would not leave as they are; one without a column counts as such. */
export function changing(
  { table }: Pick<RecordDefinition, 'table'>,
  row: Values,
  columns: Values,
  fields: readonly string[],
): string[] {
  const known = getTableColumns(table)
  return fields.filter((field) =>
    Object.hasOwn(columns, field)
      ? !isDeepStrictEqual(row[field] ?? null, columns[field] ?? null)
      : !Object.hasOwn(known, field),
  )
}

/** Whether somebody may change a record in each of these fields. */
export function mayChange(
  { can }: Pick<Decisions, 'can'>,
  { subject }: Pick<RecordDefinition, 'subject'>,
  row: Values,
  fields: readonly string[],
): boolean {
  return can('UPDATE', subject, row) && fields.every((field) => can('UPDATE', subject, row, field))
}

/** The fields that an import takes from the file; those with parts once. */
export function fieldsOf(mapping: Readonly<Record<string, string>>): string[] {
  return [...new Set(Object.keys(mapping).map((name) => name.split('.', 1)[0] ?? name))]
}
