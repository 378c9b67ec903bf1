import { posix } from 'node:path'
import { zipBytes, zipEntries, ZipError, type ZipEntry } from '../zip/read.ts'
import { formatOfDates, isoOfSerial } from './workbook-dates.ts'
import { headerOf, MAX_RECORD_CHARS, tableRow, unreadable, type RowSource, type SourceRow } from './source.ts'
import { attribute, xmlParts, type XmlPart } from './xml.ts'
import { isZip, type Bytes } from './detect.ts'

/** What the parts of a workbook may come to when they are unpacked, and its table of texts, which is kept in memory. */
const MAX_UNPACKED = 300 * 1024 * 1024
const MAX_TEXTS = 24_000_000
const MAX_COLUMN = 16_383

/**
 * Opens an XLSX workbook: the rows of one sheet, the first row as header. Formulas are never computed; what a cell showed
 * when it was saved is what it has.
 */
export async function openWorkbook(
  source: Bytes,
  wished: string | undefined,
): Promise<{ source: RowSource; sheet: string; sheets: string[] }> {
  if (!(await isZip(source))) throw unreadable('not a workbook')
  const chunks: Uint8Array[] = []
  for await (const chunk of source.stream()) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return asReadable(async () => {
    const book = new Archive(bytes)
    const sheets = await sheetsOf(book)
    const sheet = wished === undefined ? sheets[0] : sheets.find(({ name }) => name === wished)
    if (!sheet) throw unreadable(wished === undefined ? 'no sheet' : `no sheet ${wished}`)
    const texts = await textsOf(book)
    const isDate = await formatOfDates(book.parts('xl/styles.xml'))
    const columns: string[] = []
    return {
      source: { columns, rows: rowsOf(book.parts(sheet.path), texts, isDate, columns) },
      sheet: sheet.name,
      sheets: sheets.map(({ name }) => name),
    }
  })
}

/** The parts of a workbook by their paths. */
class Archive {
  readonly #bytes: Buffer
  readonly #entries: ReadonlyMap<string, ZipEntry>
  readonly #budget = { left: MAX_UNPACKED }

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#entries = zipEntries(bytes)
  }

  /** A part as XML; one that is missing is empty. */
  async *parts(path: string): AsyncGenerator<XmlPart> {
    const entry = this.#entries.get(path)
    if (entry) yield* xmlParts(zipBytes(this.#bytes, entry, this.#budget))
  }
}

async function asReadable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ZipError) throw unreadable(`the workbook has ${error.message}`, error)
    throw error
  }
}

async function sheetsOf(book: Archive): Promise<{ name: string; path: string }[]> {
  const targets = new Map<string, string>()
  for await (const part of book.parts('xl/_rels/workbook.xml.rels'))
    if (part.kind === 'open' && part.name === 'Relationship')
      targets.set(attribute(part.attributes, 'Id') ?? '', attribute(part.attributes, 'Target') ?? '')
  const sheets: { name: string; path: string }[] = []
  for await (const part of book.parts('xl/workbook.xml')) {
    if (part.kind !== 'open' || part.name !== 'sheet') continue
    const target = targets.get(attribute(part.attributes, 'id') ?? '')
    if (target === undefined) continue
    const path = target.startsWith('/') ? target.slice(1) : posix.join('xl', target)
    sheets.push({ name: (attribute(part.attributes, 'name') ?? '').slice(0, 100), path })
  }
  return sheets
}

/** The table of texts that cells point into. */
async function textsOf(book: Archive): Promise<string[]> {
  const texts: string[] = []
  let size = 0
  let now = ''
  let inText = false
  let inNote = false
  for await (const part of book.parts('xl/sharedStrings.xml')) {
    if (part.kind === 'text') {
      if (inText && !inNote) now += part.text
      continue
    }
    if (part.name === 't') inText = part.kind === 'open' && !part.empty
    if (part.name === 'rPh') inNote = part.kind === 'open' && !part.empty
    if (part.name !== 'si' || (part.kind === 'open' && !part.empty)) continue
    // An empty text takes its place too.
    size += now.length + 8
    if (size > MAX_TEXTS) throw unreadable('the workbook has more text than can be taken')
    texts.push(plain(now))
    now = ''
  }
  return texts
}

/** A cell on the way: what its text means, and what of it was read. */
interface Cell {
  index: number
  type: string
  style: number
  text: string
}

async function* rowsOf(
  parts: AsyncIterable<XmlPart>,
  texts: readonly string[],
  isDate: (style: number) => boolean,
  columns: string[],
): AsyncGenerator<SourceRow> {
  let headed = false
  for await (const values of valuesOf(parts, texts, isDate)) {
    if (values.every((value) => value.trim() === '')) continue
    if (headed) yield tableRow(values, columns)
    else columns.push(...headerOf(values))
    headed = true
  }
}

async function* valuesOf(
  parts: AsyncIterable<XmlPart>,
  texts: readonly string[],
  isDate: (style: number) => boolean,
): AsyncGenerator<string[]> {
  let values: string[] = []
  let cell: Cell | undefined
  let reading = false
  try {
    for await (const part of parts) {
      if (part.kind === 'text') {
        if (cell && reading) cell.text += part.text
        if (cell && cell.text.length > MAX_RECORD_CHARS) throw unreadable('a cell is too long')
      } else if (part.name === 'row') {
        if (part.kind === 'close') {
          yield Array.from(values, (value) => value ?? '')
          values = []
        }
      } else if (part.name === 'c') {
        if (part.kind === 'open') {
          cell = cellOf(part.attributes, values.length)
          // An empty one takes its place too: those after it may not say theirs, as in our own exports.
          if (part.empty) {
            values[cell.index] = ''
            cell = undefined
          }
        } else if (cell && part.kind === 'close') {
          values[cell.index] = valueOf(cell, texts, isDate)
          cell = undefined
        }
      } else if (part.name === 'v' || part.name === 't') reading = part.kind === 'open' && !part.empty
    }
  } catch (error) {
    if (error instanceof ZipError) throw unreadable(`the workbook has ${error.message}`, error)
    throw error
  }
}

function cellOf(attributes: string, next: number): Cell {
  const letters = /^[A-Z]{1,3}/.exec(attribute(attributes, 'r') ?? '')?.[0]
  const index = letters === undefined ? next : columnOf(letters)
  if (index > MAX_COLUMN) throw unreadable('the workbook has too many columns')
  return {
    index,
    type: attribute(attributes, 't') ?? 'n',
    style: Number(attribute(attributes, 's') ?? 0),
    text: '',
  }
}

function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function valueOf(
  { type, style, text }: Cell,
  texts: readonly string[],
  isDate: (style: number) => boolean,
): string {
  switch (type) {
    case 's':
      return texts[Number(text)] ?? ''
    case 'b':
      return text === '1' ? 'true' : 'false'
    case 'e':
      return ''
    case 'n':
      return isDate(style) ? (isoOfSerial(text) ?? text) : numberText(text)
    default:
      return plain(text)
  }
}

/** A number as people write it: long ones are stored with an exponent. */
function numberText(text: string): string {
  if (!/e/i.test(text)) return text
  const value = Number(text)
  return Number.isSafeInteger(value) ? String(value) : text
}

/** Workbooks write characters that XML cannot hold as `_x000D_`. */
function plain(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text
}
