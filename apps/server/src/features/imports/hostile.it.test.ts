import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { CallError } from '@weft/contract/core/client'
import { imports } from '@weft/contract/imports/api'
import type { IMPORT_FORMATS } from '@weft/contract/imports/schema'
import { zipOf } from '../../kit/zip/write.ts'
import { xlsxOf } from '../../kit/resource/export-xlsx.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { endedImport } from './testing/ended.ts'
import { NASTY, quoted } from './testing/nasty.ts'

let server: TestServer
let ann: TestPerson
beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

/** What became of an upload: the code it was refused with, or how many of its rows are good. */
const outcome = (work: Promise<{ import: { good: number } }>) =>
  work.then(
    ({ import: { good } }) => `${good} good rows`,
    (error: unknown) =>
      error instanceof CallError
        ? `${error.httpStatus} ${error.code}${error.body.params ? `: ${String(error.body.params['reason'])}` : ''}`
        : error,
  )

async function taken(id: string) {
  await ann.api(imports).apply({ id, take: 'good' })
  return endedImport(ann, id)
}

async function* arrayOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return new Uint8Array(Buffer.concat(all))
}

test('ten thousand nasty rows are refused or kept as plain text, and come out as such', async () => {
  const lines = ['type,username,notes,tags,limits.perDay']
  for (let n = 0; n < 10_000; n += 1) {
    const nasty = NASTY[n % NASTY.length] ?? ''
    const username = n % 50 === 49 ? 'the same' : `${n} ${nasty}`
    lines.push(['x', quoted(username), quoted(nasty), quoted(nasty), n % 7 === 0 ? quoted(nasty) : ''].join())
  }
  lines.splice(5000, 0, `x,long,${'y'.repeat(1_000_000)}`, 'x,"un"quo"ted",",",', ',,,,,,,,,,,')
  const { import: checked } = await ann.api(accounts).import({}, { body: lines.join('\r\n') })
  expect(checked.total).toBeGreaterThan(9_990)
  expect(checked.good + checked.bad + checked.duplicates).toBe(checked.total)
  expect(checked.bad).toBeGreaterThan(500)
  const done = await taken(checked.id)
  expect(done).toMatchObject({ state: 'finished', processed: checked.total, created: checked.good })
  const api = ann.api(accounts)
  expect((await api.list({})).totalRecord).toBe(checked.good)
  for (const q of ['drop table', '<script>', '%s%n', "'; drop", '__proto__', '\\x00']) {
    const found = await api.list({ q, perPage: 5 })
    expect(found.totalRecord, q).toBeGreaterThan(0)
    expect(found.data[0]?.username).toContain(q)
  }
  const sheet = (await (await api.export({ format: 'csv' })).text()).replace('\uFEFF', '')
  expect(sheet).not.toMatch(/(^|,)"?[=+@]/m)
  const book = await (await api.export({ format: 'xlsx' })).arrayBuffer()
  const again = await ann.api(accounts).import({ format: 'xlsx' }, { body: new Uint8Array(book) })
  expect(again.import).toMatchObject({ total: checked.good, good: 0 })
  expect(again.import.duplicates + again.import.bad).toBe(checked.good)
})

test('a workbook carries what it shows as text, and a formula in it is not run', async () => {
  const rows = NASTY.filter((text) => !/[\0\uD800]/.test(text)).map((text, n) => ['x', `w${n}`, text])
  const book = await bytesOf(
    xlsxOf(['type', 'username', 'notes'], arrayOf(rows), { sheet: 'Rows', maxRows: 100 }),
  )
  const checked = await ann.api(accounts).import({ format: 'auto' }, { body: book })
  expect(checked.detected).toMatchObject({ format: 'xlsx', sheet: 'Rows', sheets: ['Rows'] })
  expect(checked.preview.map(({ values }) => values['notes'])).toEqual(
    rows.slice(0, checked.preview.length).map(([, , text]) => (text ?? '').slice(0, 500)),
  )
  const formula = await workbook(
    '<row><c t="inlineStr"><is><t>type</t></is></c><c t="inlineStr"><is><t>username</t></is></c></row>' +
      '<row><c t="inlineStr"><is><t>x</t></is></c><c r="B2"><f>1+1</f><v>2</v></c></row>',
  )
  const shown = await ann.api(accounts).import({ format: 'xlsx' }, { body: formula })
  expect(shown.preview).toEqual([{ row: 1, values: { type: 'x', username: '2' } }])
})

/** A workbook whose first sheet has this content. */
async function workbook(rows: string, more: { name: string; content: Iterable<string> }[] = []) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return bytesOf(
    zipOf([
      {
        name: 'xl/workbook.xml',
        content: [`<workbook xmlns="${main}"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`],
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: ['<Relationships><Relationship Id="r1" Target="worksheets/a.xml"/></Relationships>'],
      },
      { name: 'xl/worksheets/a.xml', content: [`<worksheet><sheetData>${rows}</sheetData></worksheet>`] },
      ...more,
    ]),
  )
}

/** A table of texts of so many megabytes, none of which is too long by itself. */
function* zeros(megabytes: number): Generator<string> {
  yield '<sst>'
  for (let n = 0; n < megabytes; n += 1) yield `<si><t>${'0'.repeat(1024 * 1024)}</t></si>`
  yield '</sst>'
}

const cell = (text: string, more = '') => `<c t="inlineStr"${more}><is><t>${text}</t></is></c>`
const rowOf = (...cells: string[]) => `<row>${cells.join('')}</row>`

test('what is no upload of rows is refused with a reason, whatever it pretends to be', async () => {
  // But for one thing each, these are good workbooks with one good row.
  const header = [cell('type'), cell('username')]
  const values = [cell('x'), cell('somebody')]
  const rows = rowOf(...header) + rowOf(...values)
  const good = await workbook(rows)
  expect(await outcome(ann.api(accounts).import({ format: 'xlsx' }, { body: good }))).toBe('1 good rows')
  const more = Array.from({ length: 200 }, (_, n) => cell(`c${n}`))
  const spoilt: [Uint8Array<ArrayBuffer>, string][] = [
    [
      await workbook(rows, [{ name: 'xl/sharedStrings.xml', content: zeros(40) }]),
      'the workbook has more text than can be taken',
    ],
    [await workbook(rowOf(...header, ...more) + rowOf(...values)), 'more than 200 columns'],
    [
      await workbook(rowOf(...header) + rowOf(...values, cell('', ' r="ZZZ2"'))),
      'the workbook has too many columns',
    ],
    [await workbook('<!DOCTYPE x [<!ENTITY a "b">]>' + rows), 'the workbook has a document type'],
  ]
  for (const [body, reason] of spoilt)
    expect(await outcome(ann.api(accounts).import({ format: 'xlsx' }, { body }))).toBe(
      `422 import.unreadable: ${reason}`,
    )
  const bodies: [(typeof IMPORT_FORMATS)[number], Uint8Array<ArrayBuffer> | string][] = [
    ['xlsx', good.subarray(0, good.length - 30)],
    ['xlsx', good.map((byte, at) => (at > 40 && at < 90 ? 255 - byte : byte))],
    ['xlsx', 'PK\u0003\u0004 and nothing more'],
    ['json', '{"a":'.repeat(50_000)],
    ['json', `[${'['.repeat(100_000)}`],
    ['json', 'null'],
    ['ndjson', '\0\0\0\0'],
    ['csv', new Uint8Array(2000).fill(0)],
    ['csv', Buffer.from('\uFEFFa\0b,c\n1,2\n', 'utf16le')],
    ['csv', `a\n${'x'.repeat(5_000_000)}`],
    ['csv', Array.from({ length: 300 }, (_, n) => `c${n}`).join()],
    ['lines', '\u0000'],
  ]
  for (const [format, body] of bodies) {
    const found = await outcome(ann.api(accounts).import({ format }, { body }))
    expect([format, found]).toEqual([
      format,
      expect.stringMatching(/^(422 import\.(unreadable|empty)|0 good rows)/),
    ])
  }
  const before = await ann.api(accounts).list({})
  expect(before.totalRecord).toBeGreaterThan(0)
})
