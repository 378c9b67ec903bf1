import { afterAll, beforeAll, expect, test } from 'vitest'
import { clients } from '@weft/contract/clients/api'
import { CallError } from '@weft/contract/core/client'
import { imports } from '@weft/contract/imports/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import { videos } from '@weft/contract/videos/api'
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

const ROWS = 220

interface Kind {
  api: typeof profiles | typeof phones | typeof proxies | typeof videos | typeof clients
  /** The columns that make a row, and the cells of the nth one; `word` is nasty. */
  columns: string
  cells: (n: number, word: string) => string[]
  /** A good row again, letter by letter; null where two that are the same are two records. */
  twice: string[] | null
}

const KINDS: Record<string, Kind> = {
  clients: {
    api: clients,
    columns: 'name,labels',
    cells: (n, word) => [`${n} ${word}`.slice(0, 110), n % 5 ? '' : word],
    twice: null,
  },
  profiles: {
    api: profiles,
    columns: 'name,startUrls',
    cells: (n, word) => [`${n} ${word}`.slice(0, 110), n % 5 ? '' : word],
    twice: null,
  },
  phones: {
    api: phones,
    columns: 'phoneNumber,label',
    cells: (n, word) => [n % 5 ? `+1415${2_000_000 + n}` : word, word.slice(0, 110)],
    twice: ['+14152000001', 'twice'],
  },
  proxies: {
    api: proxies,
    columns: 'protocol,port,host,provider',
    cells: (n, word) => ['http', n % 7 ? '8080' : word, n % 5 ? `h${n}.example` : word, word.slice(0, 110)],
    twice: ['http', '8080', 'h1.example', 'twice'],
  },
  videos: {
    api: videos,
    columns: 'title,description',
    cells: (n, word) => [`${n} ${word}`.slice(0, 190), word],
    twice: null,
  },
}

async function taken(id: string) {
  await ann.api(imports).apply({ id, take: 'good' })
  return endedImport(ann, id)
}

/** What a refused or accepted call comes to; a failure of the server is neither. */
const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error instanceof CallError ? error.httpStatus : error),
  )

test.each(Object.entries(KINDS))(
  'nasty rows of %s are refused or kept as plain text, and come out as such',
  async (_name, { api, columns, cells, twice }) => {
    // The calls of every resource are the same; one of them stands for the types of all.
    const calls = ann.api(api as typeof profiles)
    const line = (own: readonly string[], word: string) => [...own, word, word].map(quoted).join(',')
    const lines = [`${columns},notes,tags`]
    for (let n = 0; n < ROWS; n += 1) {
      const word = NASTY[n % NASTY.length] ?? ''
      lines.push(line(cells(n, word), word))
    }
    const [good = ''] = cells(1, 'good')
    lines.push(
      `${quoted(good)},"un"quo"ted",",",`,
      ',,,,,,,,,,,',
      line(cells(1, 'long'), 'y'.repeat(1_000_000)),
    )
    if (twice) lines.push(line(twice, 'first'), line(twice, 'second'))
    const text = lines.join('\r\n')
    // Bytes that are no UTF-8, in the midst of it: refused where they are said to be, read as something else where they are not.
    const broken = Buffer.concat([
      Buffer.from(text.replace('y'.repeat(1_000_000), '')),
      Buffer.from([0x0d, 0x0a, 0xff, 0xfe, 0x2c, 0xc3, 0x28, 0x2c, 0xa0, 0xa1]),
    ])
    expect(await statusOf(calls.import({ encoding: 'utf-8' }, { body: broken }))).toBe(422)
    expect(await statusOf(calls.import({}, { body: broken }))).toBe(200)
    const { import: checked } = await calls.import({}, { body: text })
    expect(checked.good + checked.bad + checked.duplicates).toBe(checked.total)
    expect(checked.total).toBeGreaterThan(ROWS - 10)
    expect(checked.bad).toBeGreaterThan(ROWS / 30)
    expect(checked.good).toBeGreaterThan(ROWS / 3)
    if (twice) expect(checked.duplicates).toBeGreaterThan(0)
    expect(await taken(checked.id)).toMatchObject({ state: 'finished', created: checked.good })
    const all = await calls.list({ perPage: 1000 })
    expect(all.totalRecord).toBe(checked.good)
    // As they were sent, which text without its other half of a pair cannot be.
    const sent = new Set([...NASTY.map((word) => word.toWellFormed()), '', ',', 'first', 'second'])
    expect(all.data.map(({ notes }) => notes).filter((notes) => !sent.has(notes))).toEqual([])
    expect(all.data.some(({ notes }) => notes === `'; drop table account; --`)).toBe(true)
    expect(all.data.some(({ notes }) => notes === '=cmd|"/c calc"!A1')).toBe(true)
    const sheet = (await (await calls.export({ format: 'csv' })).text()).replace('\uFEFF', '')
    expect(sheet).not.toMatch(/(^|,)"?[=+@]/m)
    const book = await (await calls.export({ format: 'xlsx' })).arrayBuffer()
    const again = await calls.import({ format: 'xlsx' }, { body: new Uint8Array(book) })
    expect(again.import.total).toBe(checked.good)
    // Whatever is put into one field by itself, or looked for, is taken or refused.
    const [one] = all.data
    let version = one?.version ?? 0
    for (const word of NASTY) {
      const changed = await statusOf(calls.update({ id: one?.id ?? '', version, notes: word }))
      expect([200, 400, 422]).toContain(changed)
      if (changed === 200) version += 1
      expect([200, 400, 422]).toContain(await statusOf(calls.list({ q: word, perPage: 1 })))
    }
  },
)
