import { zipOf, type ZipFile } from '../zip/write.ts'

/** A sheet holds no more rows; what is beyond goes on in the next one. */
const MAX_SHEET_ROWS = 1_048_576
/** A cell holds no more characters. */
const MAX_CELL = 32_767

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * Rows as an XLSX workbook, streamed. Texts are written as texts, which no spreadsheet takes for a formula, so they need no
 * apostrophe; numbers stay numbers.
 */
export function xlsxOf(
  header: readonly string[],
  rows: AsyncIterable<readonly unknown[]>,
  options: { sheet: string; maxRows?: number },
): AsyncGenerator<Buffer> {
  return zipOf(filesOf(header, rows, options))
}

async function* filesOf(
  header: readonly string[],
  rows: AsyncIterable<readonly unknown[]>,
  { sheet, maxRows = MAX_SHEET_ROWS }: { sheet: string; maxRows?: number },
): AsyncGenerator<ZipFile> {
  const reader = new RowReader(rows)
  let sheets = 0
  do {
    sheets += 1
    yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheetOf(header, reader, maxRows) }
  } while (!(await reader.ended()))
  const all = Array.from({ length: sheets }, (_, n) => n + 1)
  yield {
    name: 'xl/workbook.xml',
    content: [
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>`,
      ...all.map(
        (n) => `<sheet name="${escaped(n === 1 ? sheet : `${sheet} ${n}`)}" sheetId="${n}" r:id="rId${n}"/>`,
      ),
      '</sheets></workbook>',
    ],
  }
  yield {
    name: 'xl/_rels/workbook.xml.rels',
    content: [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">`,
      ...all.map(
        (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
      ),
      '</Relationships>',
    ],
  }
  yield {
    name: '_rels/.rels',
    content: [
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">`,
      `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
  }
  yield {
    name: '[Content_Types].xml',
    content: [
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">`,
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
      `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
      ...all.map(
        (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
      ),
      '</Types>',
    ],
  }
}

/** Rows that several sheets take from, one after the other. */
class RowReader {
  readonly #rows: AsyncIterator<readonly unknown[]>
  #next: Promise<IteratorResult<readonly unknown[]>> | undefined

  constructor(rows: AsyncIterable<readonly unknown[]>) {
    this.#rows = rows[Symbol.asyncIterator]()
  }

  async ended(): Promise<boolean> {
    this.#next ??= this.#rows.next()
    return (await this.#next).done === true
  }

  async take(): Promise<readonly unknown[] | undefined> {
    if (await this.ended()) return undefined
    const found = await this.#next
    this.#next = undefined
    return found?.value
  }
}

async function* sheetOf(header: readonly string[], rows: RowReader, maxRows: number): AsyncGenerator<string> {
  let chunk = `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rowOf(header)}`
  for (let n = 1; n < maxRows; n += 1) {
    const row = await rows.take()
    if (!row) break
    chunk += rowOf(row)
    if (chunk.length > 65_536) {
      yield chunk
      chunk = ''
    }
  }
  yield `${chunk}</sheetData></worksheet>`
}

function rowOf(values: readonly unknown[]): string {
  return `<row>${values.map(cellOf).join('')}</row>`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '<c/>'
  if (typeof value === 'number' && Number.isFinite(value)) return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, MAX_CELL))}</t></is></c>`
}

const NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// oxlint-disable-next-line no-control-regex -- those are what XML cannot hold
const UNWRITABLE = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g

/** As XML takes it; characters that it cannot hold as workbooks write them, `_x0007_`, and what looks like that too. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>"]/g, (sign) => NAMES[sign] ?? sign)
    .replaceAll('\r', '_x000D_')
    .replaceAll(UNWRITABLE, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
}
