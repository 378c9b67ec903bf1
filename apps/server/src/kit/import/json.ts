import {
  linesOf,
  MAX_COLUMNS,
  MAX_RECORD_CHARS,
  unreadable,
  type RowSource,
  type SourceRow,
} from './source.ts'

/** Rows as JSON objects, one in a line. */
export function readNdjson(text: AsyncIterable<string>): RowSource {
  return objectRows(linesOf(text))
}

/** Rows as the objects of one JSON array, wherever the outermost object holds it. */
export function readJson(text: AsyncIterable<string>): RowSource {
  return objectRows(elementsOf(text))
}

function objectRows(texts: AsyncIterable<string>): RowSource {
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
    for await (const one of texts) yield jsonRow(one, position)
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

/** Cuts the first array of a JSON text into the texts of its elements; only one of them is held at a time. */
async function* elementsOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  const cutter = new ElementCutter()
  for await (const chunk of text) {
    yield* cutter.take(chunk)
    if (cutter.over) return
  }
  throw unreadable(cutter.begun ? 'the JSON ends in the middle' : 'no JSON array of rows')
}

/** Follows quotes and brackets; what stands inside of an element is not looked at. */
class ElementCutter {
  begun = false
  over = false
  /** Objects around the array. */
  #around = 0
  /** Brackets that are open inside of the element. */
  #open = 0
  #quoted = false
  #escaped = false
  #element = ''

  #inText(sign: string): boolean {
    if (this.#quoted) {
      if (this.#escaped) this.#escaped = false
      else if (sign === '\\') this.#escaped = true
      else if (sign === '"') this.#quoted = false
      return true
    }
    this.#quoted = sign === '"'
    return this.#quoted
  }

  #findArray(sign: string): void {
    if (sign === '[') this.begun = true
    else if (sign === '{' && (this.#around += 1) > 3) throw unreadable('no JSON array of rows')
  }

  *take(chunk: string): Generator<string> {
    let from = 0
    for (let at = 0; at < chunk.length && !this.over; at += 1) {
      const sign = chunk.charAt(at)
      if (this.#inText(sign)) continue
      if (!this.begun) {
        this.#findArray(sign)
        from = at + 1
        continue
      }
      if (sign === '{' || sign === '[') this.#open += 1
      else if (this.#open > 0 && (sign === '}' || sign === ']')) this.#open -= 1
      else if (this.#open === 0 && (sign === ',' || sign === ']')) {
        yield* this.#end(chunk.slice(from, at))
        from = at + 1
        this.over = sign === ']'
      }
    }
    if (!this.begun) return
    this.#element += chunk.slice(from)
    if (this.#element.length > MAX_RECORD_CHARS) throw unreadable('a row is too long')
  }

  *#end(rest: string): Generator<string> {
    const element = (this.#element + rest).trim()
    this.#element = ''
    if (element.length > MAX_RECORD_CHARS) throw unreadable('a row is too long')
    if (element !== '') yield element
  }
}
