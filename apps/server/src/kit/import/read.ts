import { pipeline, Readable } from 'node:stream'
import { CsvError, parse, type Options } from 'csv-parse'
import { isStorable } from '@weft/workflow/json'
import {
  encodingOf,
  formatOf,
  isZip,
  separatorOf,
  type Bytes,
  type Encoding,
  type RowFormat,
  type Separator,
} from './detect.ts'
import { readJson, readNdjson } from './json.ts'
import {
  headerOf,
  linesOf,
  MAX_RECORD_CHARS,
  MAX_ROW_CHARS,
  tableRow,
  unreadable,
  type LineForm,
  type RowSource,
  type SourceRow,
} from './source.ts'
import { openWorkbook } from './workbook.ts'

/** How an upload is to be read; what is not given is found out. */
export interface ReadingWish {
  format: RowFormat | 'auto'
  encoding?: Encoding | undefined
  separator?: Separator | undefined
  sheet?: string | undefined
  /** For pasted lines without a header: the columns they have, and the kind's own way to write one. */
  lines: { columns: readonly string[]; form?: LineForm | undefined }
}

/** How an upload was read; what does not apply to its format is null. */
export interface Reading {
  format: RowFormat
  encoding: Encoding | null
  separator: Separator | null
  sheet: string | null
  sheets: string[]
}

/** Reads rows one after the other, never more than a chunk of them in memory. */
export async function readRows(bytes: Bytes, wish: ReadingWish): Promise<RowSource & { reading: Reading }> {
  if (wish.format === 'xlsx' || (wish.format === 'auto' && (await isZip(bytes)))) {
    const { source, sheet, sheets } = await openWorkbook(bytes, wish.sheet)
    const reading: Reading = { format: 'xlsx', encoding: null, separator: null, sheet, sheets }
    return { columns: source.columns, rows: checked(source), reading }
  }
  const encoding = wish.encoding ?? (await encodingOf(bytes))
  const format = wish.format === 'auto' ? await formatOf(bytes, encoding, wish.lines.form) : wish.format
  const reading: Reading = { format, encoding, separator: null, sheet: null, sheets: [] }
  const text = decode(bytes, encoding)
  const table = format === 'csv' || (format === 'lines' && !wish.lines.form)
  if (table) reading.separator = wish.separator ?? separatorOf(await firstLine(decode(bytes, encoding)))
  const source = open(format, text, reading.separator ?? ',', wish.lines)
  return { columns: source.columns, rows: checked(source), reading }
}

function open(
  format: Exclude<RowFormat, 'xlsx'>,
  text: AsyncIterable<string>,
  separator: Separator,
  lines: ReadingWish['lines'],
): RowSource {
  if (format === 'ndjson') return readNdjson(text)
  if (format === 'json') return readJson(text)
  if (format === 'csv') return readCsv(text, separator)
  return lines.form ? readLines(text, lines.form) : readCsv(text, separator, lines.columns)
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
    yield storableRow(row)
  }
}

function storableRow(row: SourceRow): SourceRow {
  const { values } = row
  if (values.reduce((sum, value) => sum + value.length, 0) > MAX_ROW_CHARS)
    return { values: values.map((value) => storable(value.slice(0, SHOWN_CHARS))), problem: TOO_LONG }
  return values.every(isStorable) ? row : { values: values.map(storable), problem: BAD_CHARACTER }
}

const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** What is kept of each value of a row that is too long. */
const SHOWN_CHARS = 500
const TOO_LONG = { code: 'row_too_long', message: `More than ${MAX_ROW_CHARS} characters` }
const BAD_CHARACTER = { code: 'bad_character', message: 'The row has a character that cannot be stored' }

async function* decode(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of bytes.stream()) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw unreadable(`not ${encoding.toUpperCase()}`, error)
    throw error
  }
}

/** With `given`, the text has no header and its columns are those, in order. */
function readCsv(text: AsyncIterable<string>, separator: Separator, given?: readonly string[]): RowSource {
  const columns: string[] = given ? [...given] : []
  async function* rows(): AsyncGenerator<SourceRow> {
    const parser = parse(csvOptions(separator))
    // The loop below sees whatever goes wrong; `pipeline` carries it there and closes both ends.
    pipeline(Readable.from(text), parser, () => {})
    try {
      let headed = given !== undefined
      for await (const record of parser) {
        const values = textsOf(record)
        if (headed) yield tableRow(values, columns)
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
    max_record_size: MAX_RECORD_CHARS,
  }
}

function csvReason(error: CsvError): string {
  const line = typeof error['lines'] === 'number' ? ` near line ${error['lines']}` : ''
  return error.code === 'CSV_MAX_RECORD_SIZE' ? `a row is too long${line}` : `a quote is not closed${line}`
}

function textsOf(record: unknown): string[] {
  return Array.isArray(record) ? record.map(String) : []
}

async function firstLine(text: AsyncIterable<string>): Promise<string> {
  let begin = ''
  for await (const chunk of text) {
    begin += chunk
    if (begin.includes('\n') || begin.length >= MAX_ROW_CHARS) break
  }
  return begin.split('\n', 1)[0] ?? ''
}

function readLines(text: AsyncIterable<string>, form: LineForm): RowSource {
  async function* rows(): AsyncGenerator<SourceRow> {
    for await (const line of linesOf(text)) yield form.read(line)
  }
  return { columns: [...form.columns], rows: rows() }
}
