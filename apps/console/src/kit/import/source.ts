import type { z } from 'zod'
import type { ImportCheck, importInput } from '@weft/contract/imports/schema'

/** Rows to import, from a file or pasted. */
export interface ImportSource {
  fileName: string | undefined
  body: Blob
}

/** How rows are to be read, where it is not found out by looking at them. */
export type ImportReading = Partial<
  Pick<z.input<typeof importInput>, 'format' | 'encoding' | 'separator' | 'sheet'>
>

/** A mapping with one field taken from another column, or from none. */
export function remap(
  mapping: Readonly<Record<string, string>>,
  field: string,
  column: string | null,
): Record<string, string> {
  const { [field]: _old, ...others } = mapping
  return column === null ? others : { ...others, [field]: column }
}

/** The name under which a table's mapping is remembered: its columns, whatever their order. */
export function tableKey(columns: readonly string[]): string {
  return columns
    .map((column) => column.trim().toLowerCase())
    .toSorted()
    .join('|')
    .slice(0, 500)
}

/** A remembered mapping as far as it still fits; undefined where it says nothing new. */
export function fittingMapping(
  remembered: Readonly<Record<string, string>> | undefined,
  check: Pick<ImportCheck, 'columns' | 'fields' | 'mapping'>,
): Record<string, string> | undefined {
  if (!remembered) return undefined
  const known = new Set(check.fields.map(({ name }) => name))
  const fits = Object.fromEntries(
    Object.entries(remembered).filter(
      ([field, column]) => known.has(field) && check.columns.includes(column),
    ),
  )
  const sorted = (mapping: object) =>
    JSON.stringify(Object.entries(mapping).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return Object.keys(fits).length > 0 && sorted(fits) !== sorted(check.mapping) ? fits : undefined
}
