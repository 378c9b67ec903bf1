import { XLSX_TYPE, type ExportFormat } from '@weft/contract/core/resource'
import { csvLine } from '../csv.ts'
import { xlsxOf } from './export-xlsx.ts'

/** How each format of an export is called and written. */
export function exportOf(
  format: ExportFormat,
  name: string,
  paths: readonly string[],
  rows: AsyncIterable<object>,
): { contentType: string; fileName: string; body: AsyncIterable<string | Uint8Array> } {
  const fileName = `${name}.${format}`
  switch (format) {
    case 'ndjson':
      return { contentType: 'application/x-ndjson; charset=utf-8', fileName, body: ndjsonOf(paths, rows) }
    case 'xlsx':
      return { contentType: XLSX_TYPE, fileName, body: xlsxOf(paths, cellsOf(paths, rows), { sheet: name }) }
    default:
      return { contentType: 'text/csv; charset=utf-8', fileName, body: csvOf(paths, rows) }
  }
}

async function* cellsOf(paths: readonly string[], rows: AsyncIterable<object>): AsyncGenerator<unknown[]> {
  for await (const row of rows) yield paths.map((path) => cellValue(at(row, path)))
}

/** Rows of an export as CSV: UTF-8 with its mark, so that spreadsheets read every script. */
export async function* csvOf(paths: readonly string[], rows: AsyncIterable<object>): AsyncGenerator<string> {
  let chunk = `\uFEFF${csvLine(paths)}`
  for await (const row of rows) {
    chunk += csvLine(paths.map((path) => cellValue(at(row, path))))
    if (chunk.length > 65_536) {
      yield chunk
      chunk = ''
    }
  }
  yield chunk
}

/** Rows of an export as JSON, one in a line. */
export async function* ndjsonOf(
  paths: readonly string[],
  rows: AsyncIterable<object>,
): AsyncGenerator<string> {
  let chunk = ''
  for await (const row of rows) {
    chunk += `${JSON.stringify(Object.fromEntries(paths.map((path) => [path, at(row, path) ?? null])))}\n`
    if (chunk.length > 65_536) {
      yield chunk
      chunk = ''
    }
  }
  yield chunk
}

/** A list stands in one cell, as an import reads it. */
function cellValue(value: unknown): unknown {
  return Array.isArray(value) ? value.map((one) => String(one)).join('; ') : value
}

function at(row: object, path: string): unknown {
  let value: unknown = row
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, key)
  }
  return value
}
