import { expect, test } from 'vitest'
import { xlsxOf } from '../resource/export-xlsx.ts'
import type { RowFormat } from './detect.ts'
import { readRows } from './read.ts'
import type { SourceRow } from './source.ts'

async function* bytes(
  text: string | Uint8Array,
  size = text.length > 10_000 ? 65_536 : 7,
): AsyncGenerator<Uint8Array> {
  const all = typeof text === 'string' ? Buffer.from(text) : text
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
}

async function read(format: RowFormat | 'auto', text: string | Uint8Array, lineColumns: string[] = []) {
  const source = await readRows({ stream: () => bytes(text) }, { format, lines: { columns: lineColumns } })
  const rows: SourceRow[] = []
  for await (const row of source.rows) rows.push(row)
  return { columns: source.columns, rows }
}
const values = async (...args: Parameters<typeof read>) => (await read(...args)).rows.map((row) => row.values)
const code = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

test('a CSV file has a header, quotes, line breaks in cells and any common delimiter', async () => {
  const { columns, rows } = await read('csv', '\uFEFFUser name,Notes\r\nann,"a, ""b""\nc"\r\n\r\nzoë,\r\n')
  expect(columns).toEqual(['User name', 'Notes'])
  expect(rows).toEqual([{ values: ['ann', 'a, "b"\nc'] }, { values: ['zoë', ''] }])
  expect(await values('csv', 'a;b\n1,5;2\n')).toEqual([['1,5', '2']])
  expect(await values('csv', 'a\tb\n1;5\t2')).toEqual([['1;5', '2']])
})

test('columns without a name, or with the same one, can still be told apart', async () => {
  expect((await read('csv', 'a,,a\n1,2,3')).columns).toEqual(['a', 'column 2', 'a (2)'])
})

test('a row with too many values is one bad row; the others are fine', async () => {
  const { rows } = await read('csv', 'a,b\n1,2,3\n4\n5,6,,\n')
  expect(rows.map((row) => row.problem?.code)).toEqual(['too_many_columns', undefined, undefined])
  expect(rows[1]?.values).toEqual(['4'])
})

test('what cannot be read at all says why', async () => {
  expect(await code(read('csv', 'a,b\n1,"never closed\n'))).toBe('import.unreadable')
  expect(await code(read('csv', 'a\0,b\n1,2\n'))).toBe('import.unreadable')
  expect(await code(read('ndjson', '{"a":"1"}\n{"b\\u0000":"2"}\n'))).toBe('import.unreadable')
  expect(await code(read('csv', Buffer.from([0xff, 0xfe, 0x41])))).toBe('import.unreadable')
  expect(await code(read('csv', `a\n${'x'.repeat(5_000_000)}`))).toBe('import.unreadable')
  expect(await code(read('ndjson', `{"a":"${'x'.repeat(5_000_000)}"}`))).toBe('import.unreadable')
  expect(await code(read('json', '[{"a":1},'))).toBe('import.unreadable')
  expect(await code(read('json', '{"a":{"b":1}}'))).toBe('import.unreadable')
  expect(await code(read('xlsx', 'a,b\n1,2'))).toBe('import.unreadable')
})

test('a row that is too long is one bad row; the others are fine', async () => {
  const long = 'x'.repeat(1_000_000)
  for (const [format, text] of [
    ['csv', `a\n${long}\nshort\n`],
    ['ndjson', `{"a":"${long}"}\n{"a":"short"}\n`],
    ['json', `[{"a":"${long}"},{"a":"short"}]`],
  ] as const) {
    const { rows } = await read(format, Buffer.from(text).toString())
    expect(rows.map((row) => row.problem?.code)).toEqual(['row_too_long', undefined])
    expect(rows[1]?.values).toEqual(['short'])
  }
})

test('encodings, separators and formats are found out', async () => {
  const found = async (text: string | Uint8Array) => {
    const { reading, rows } = await readRows(
      { stream: () => bytes(text, 1024) },
      { format: 'auto', lines: { columns: [] } },
    )
    const all = []
    for await (const row of rows) all.push(row.values.join('/'))
    return [reading.format, reading.encoding, reading.separator, ...all]
  }
  const table = 'name|note\nZoë|été\n'
  const wide = Buffer.from(`\uFEFF${table}`, 'utf16le')
  expect(await found(table)).toEqual(['csv', 'utf-8', '|', 'Zoë/été'])
  expect(await found(wide)).toEqual(['csv', 'utf-16le', '|', 'Zoë/été'])
  expect(await found(Buffer.from(wide).swap16())).toEqual(['csv', 'utf-16be', '|', 'Zoë/été'])
  expect(await found(wide.subarray(2))).toEqual(['csv', 'utf-16le', '|', 'Zoë/été'])
  expect(await found(Buffer.from(table, 'latin1'))).toEqual(['csv', 'windows-1252', '|', 'Zoë/été'])
  const arabic = Buffer.concat([
    Buffer.from('name;note\n'),
    // «سلام» and «مرحبا» in windows-1256.
    Buffer.from([0xd3, 0xe1, 0xc7, 0xe3, 0x3b, 0xe3, 0xd1, 0xcd, 0xc8, 0xc7, 0x0a]),
  ])
  expect(await found(arabic)).toEqual(['csv', 'windows-1256', ';', 'سلام/مرحبا'])
  expect(await found('[{"a":1,"b":"x,]"},\n{"a":"\\"}"}]')).toEqual(['json', 'utf-8', null, '1/x,]', '"}'])
  expect(await found('{"rows":[{"a":1},{"a":2}]}')).toEqual(['json', 'utf-8', null, '1', '2'])
  expect(await found('{"a":1}\n{"a":[1]}\n')).toEqual(['ndjson', 'utf-8', null, '1', '[1]'])
})

test('NDJSON takes its columns as they come, members of objects with a dot', async () => {
  const { columns, rows } = await read(
    'ndjson',
    '{"a":"x","limits":{"perDay":3}}\nnot json\n[1]\n{"tags":["p","q"],"a":null,"n":1.5}\n',
  )
  expect(columns).toEqual(['a', 'limits.perDay', 'tags', 'n'])
  expect(rows.map((row) => row.problem?.code ?? row.values)).toEqual([
    ['x', '3'],
    'not_json',
    'not_object',
    ['', '', '["p","q"]', '1.5'],
  ])
})

test('lines without a form of their own are CSV in the order of the fields', async () => {
  expect(await values('lines', '"ann",secret\nben,other', ['username', 'password'])).toEqual([
    ['ann', 'secret'],
    ['ben', 'other'],
  ])
})

test('a character that cannot be stored makes a row bad', async () => {
  expect((await read('ndjson', '{"a":"x\\ud800y"}\n')).rows).toMatchObject([
    { values: ['x\ufffdy'], problem: { code: 'bad_character' } },
  ])
  expect((await read('csv', 'a,b\nx\0y,1\n')).rows).toEqual([
    {
      values: ['xy', '1'],
      problem: { code: 'bad_character', message: 'The row has a character that cannot be stored' },
    },
  ])
})

test('nothing gives no rows', async () => {
  expect(await read('csv', '')).toEqual({ columns: [], rows: [] })
  expect(await read('csv', 'a,b\n')).toEqual({ columns: ['a', 'b'], rows: [] })
})

test('a workbook as the lists export it is read as it was written, empty cells too', async () => {
  async function* rows() {
    yield ['ann', null, 3, 'a <b> & _x0041_', '']
    yield ['', '', '', '', 'last']
  }
  const chunks: Buffer[] = []
  for await (const chunk of xlsxOf(['a', 'b', 'c', 'd', 'e'], rows(), { sheet: 'all' })) chunks.push(chunk)
  const book = Buffer.concat(chunks)
  expect((await read('xlsx', book)).columns).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(await values('xlsx', book)).toEqual([
    ['ann', '', '3', 'a <b> & _x0041_', ''],
    ['', '', '', '', 'last'],
  ])
})
