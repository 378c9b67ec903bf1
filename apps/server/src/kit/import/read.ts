import { pipeline, Readable } from 'node:stream'
import { CsvError, parse, type Options } from 'csv-parse'
import { AppError } from '../app-error.ts'
import { isStorable } from '../parse.ts'

/** How uploaded rows are written. */
export type RowFormat = 'csv' | 'ndjson' | 'lines'

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

const MAX_ROW_CHARS = 200_000
const MAX_COLUMNS = 200

/** Reads rows one after the other, never more than a chunk of them in memory. */
export function readRows(
  format: RowFormat,
  bytes: AsyncIterable<Uint8Array>,
  lines: { columns: readonly string[]; form?: LineForm | undefined },
): RowSource {
  const source = open(format, decode(bytes), lines)
  return { columns: source.columns, rows: checked(source) }
}

function open(
  format: RowFormat,
  text: AsyncIterable<string>,
  lines: { columns: readonly string[]; form?: LineForm | undefined },
): RowSource {
  if (format === 'ndjson') return readNdjson(text)
  if (format === 'csv') return readCsv(text)
  return lines.form ? readLines(text, lines.form) : readCsv(text, lines.columns)
}

/**
 * The database keeps no NUL and no half of a surrogate pair in a text, so a row that has one is told to be bad here; a
 * column's name is part of every row.
 */
async function* checked({ columns, rows }: RowSource): AsyncGenerator<SourceRow> {
  let known = 0
  for await (const row of rows) {
    for (; known < columns.length; known += 1)
      if (!isStorable(columns[known] ?? '')) throw unreadable('a column’s name that cannot be stored')
    yield row.values.every(isStorable) ? row : { values: row.values.map(storable), problem: BAD_CHARACTER }
  }
}

const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

const BAD_CHARACTER = { code: 'bad_character', message: 'The row has a character that cannot be stored' }

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw unreadable('not UTF-8', error)
    throw error
  }
}

function unreadable(reason: string, cause?: unknown): AppError {
  return new AppError('import.unreadable', { reason }, { cause })
}

/** With `given`, the text has no header and its columns are those, in order. */
function readCsv(text: AsyncIterable<string>, given?: readonly string[]): RowSource {
  const columns: string[] = given ? [...given] : []
  async function* rows(): AsyncGenerator<SourceRow> {
    const { head, rest } = await firstLine(text)
    const parser = parse(csvOptions(delimiterOf(head)))
    // The loop below sees whatever goes wrong; `pipeline` carries it there and closes both ends.
    pipeline(Readable.from(rest), parser, () => {})
    try {
      let headed = given !== undefined
      for await (const record of parser) {
        const values = textsOf(record)
        if (headed) yield csvRow(values, columns)
        else {
          columns.push(...headerOf(values))
          headed = true
        }
      }
    } catch (error) {
      if (error instanceof CsvError) throw unreadable(csvReason(error), error)
      throw error
    }
  }
  return { columns, rows: rows() }
}

function csvOptions(delimiter: string): Options {
  return {
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARS,
  }
}

function csvReason(error: CsvError): string {
  const line = typeof error['lines'] === 'number' ? ` near line ${error['lines']}` : ''
  return error.code === 'CSV_MAX_RECORD_SIZE' ? `a row is too long${line}` : `a quote is not closed${line}`
}

function textsOf(record: unknown): string[] {
  return Array.isArray(record) ? record.map(String) : []
}

function csvRow(values: string[], columns: readonly string[]): SourceRow {
  const extra = values.slice(columns.length)
  if (extra.every((value) => value.trim() === '')) return { values: values.slice(0, columns.length) }
  return {
    values,
    problem: { code: 'too_many_columns', message: `More values than the ${columns.length} columns` },
  }
}

/** Column names without repetition; a name that comes again gets a number. */
function headerOf(values: readonly string[]): string[] {
  if (values.length > MAX_COLUMNS) throw unreadable(`more than ${MAX_COLUMNS} columns`)
  const seen = new Map<string, number>()
  return values.map((value, index) => {
    const name = value.trim().slice(0, 200) || `column ${index + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** The first line, and the whole text again from its start. */
async function firstLine(text: AsyncIterable<string>) {
  const iterator = text[Symbol.asyncIterator]()
  const begin: string[] = []
  let length = 0
  let ended = false
  while (!ended && length < MAX_ROW_CHARS && !begin.at(-1)?.includes('\n')) {
    const { value, done } = await iterator.next()
    if (done) ended = true
    else {
      begin.push(value)
      length += value.length
    }
  }
  async function* rest(): AsyncGenerator<string> {
    yield* begin
    for (;;) {
      const { value, done } = await iterator.next()
      if (done) return
      yield value
    }
  }
  return { head: begin.join('').split('\n', 1)[0] ?? '', rest: rest() }
}

/** The delimiter that the first line uses most, outside of quotes. */
function delimiterOf(head: string): string {
  const bare = head.replaceAll(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length - 1
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

function readLines(text: AsyncIterable<string>, form: LineForm): RowSource {
  async function* rows(): AsyncGenerator<SourceRow> {
    for await (const line of linesOf(text)) yield form.read(line)
  }
  return { columns: [...form.columns], rows: rows() }
}

function readNdjson(text: AsyncIterable<string>): RowSource {
  const columns: string[] = []
  const positions = new Map<string, number>()
  const position = (name: string): number => {
    const known = positions.get(name)
    if (known !== undefined) return known
    if (columns.length >= MAX_COLUMNS) throw unreadable(`more than ${MAX_COLUMNS} columns`)
    columns.push(name)
    positions.set(name, columns.length - 1)
    return columns.length - 1
  }
  async function* rows(): AsyncGenerator<SourceRow> {
    for await (const line of linesOf(text)) yield jsonRow(line, position)
  }
  return { columns, rows: rows() }
}

function jsonRow(line: string, position: (name: string) => number): SourceRow {
  let record: unknown
  try {
    record = JSON.parse(line)
  } catch {
    return { values: [], problem: { code: 'not_json', message: 'Not valid JSON' } }
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return { values: [], problem: { code: 'not_object', message: 'Not a JSON object' } }
  const values: string[] = []
  for (const [name, value] of flatEntries(record)) values[position(name)] = textOf(value)
  return { values: Array.from(values, (value) => value ?? '') }
}

/** Members of nested objects stand as `limits.perDay`, as an export writes them. */
function flatEntries(record: object, prefix = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && prefix === ''
      ? flatEntries(value, `${name}.`)
      : [[(prefix + name).slice(0, 200), value] satisfies [string, unknown]],
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let left = ''
  for await (const chunk of text) {
    const lines = (left + chunk).split('\n')
    left = lines.pop() ?? ''
    if (left.length > MAX_ROW_CHARS) throw unreadable('a row is too long')
    for (const line of lines) if (line.trim() !== '') yield line.trim().replace(/^\uFEFF/, '')
  }
  if (left.trim() !== '') yield left.trim().replace(/^\uFEFF/, '')
}
