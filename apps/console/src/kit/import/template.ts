import type { ImportColumn } from '@weft/contract/imports/schema'

/** A table to fill in: the names of the columns, and a row that is taken as it stands. */
export function templateOf(columns: readonly Pick<ImportColumn, 'name' | 'example'>[]): string {
  const line = (cells: readonly string[]) => `${cells.map(cellOf).join(',')}\r\n`
  // The mark has spreadsheets read it as UTF-8.
  return `\uFEFF${line(columns.map(({ name }) => name))}${line(columns.map(({ example }) => example))}`
}

const cellOf = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
