import { AppError } from '../app-error.ts'

/** One row as it came: a text per column, or why it cannot be read. */
export interface SourceRow {
  values: string[]
  problem?: { code: string; message: string }
}

/** Rows of an upload as they are read. `columns` is complete once the rows have been read. */
export interface RowSource {
  columns: string[]
  rows: AsyncIterable<SourceRow>
}

/** How a kind reads one pasted line of its own. */
export interface LineForm {
  columns: readonly string[]
  read(line: string): SourceRow
}

/** A row longer than this is a bad one. */
export const MAX_ROW_CHARS = 200_000
/** One longer than this is nothing that could be told as a row: the whole upload is not read. */
export const MAX_RECORD_CHARS = 4_000_000
export const MAX_COLUMNS = 200

/** An upload that cannot be read at all. */
export function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError('import.unreadable', { reason }, { cause })
}

/** The values of a row of a table, or why they do not fit its columns. */
export function tableRow(values: string[], columns: readonly string[]): SourceRow {
  const extra = values.slice(columns.length)
  const known = values.slice(0, columns.length)
  if (extra.every((value) => value.trim() === '')) return { values: known }
  return {
    values: known,
    problem: { code: 'too_many_columns', message: `More values than the ${columns.length} columns` },
  }
}

/** Column names without repetition; a name that comes again gets a number. */
export function headerOf(values: readonly string[]): string[] {
  if (values.length > MAX_COLUMNS) throw unreadable(`more than ${MAX_COLUMNS} columns`)
  const seen = new Map<string, number>()
  return values.map((value, index) => {
    const name = value.trim().slice(0, 200) || `column ${index + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** The lines of a text that are not empty. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let left = ''
  for await (const chunk of text) {
    const lines = (left + chunk).split('\n')
    left = lines.pop() ?? ''
    if (left.length > MAX_RECORD_CHARS) throw unreadable('a row is too long')
    for (const line of lines) if (line.trim() !== '') yield line.trim().replace(/^\uFEFF/, '')
  }
  if (left.trim() !== '') yield left.trim().replace(/^\uFEFF/, '')
}
