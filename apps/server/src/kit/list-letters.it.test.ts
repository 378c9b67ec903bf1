import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import type { TestPerson } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let ann: TestPerson
let ben: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
  ben = await server.as('operator', 'ben')
})
afterAll(() => server.stop())

const found = async (person: TestPerson, q: string) =>
  (await person.api(accounts).list({ q })).data.map(({ username }) => username)

test('a search finds what a record is called now, and nobody else’s', async () => {
  const api = ann.api(accounts)
  const one = await api.create({ type: 'x', username: 'before-it' })
  expect(await found(ann, 'BEFORE')).toEqual(['before-it'])
  const now = await api.update({ id: one.id, version: 1, username: 'afterwards' })
  await api.update({ id: one.id, version: now.version, notes: 'not looked into' })
  expect(await found(ann, 'before')).toEqual([])
  expect(await found(ann, 'after wards x')).toEqual([])
  expect(await found(ann, 'after wa')).toEqual(['afterwards'])
  expect(await found(ben, 'after')).toEqual([])
  const { rows } = await server.deps.db.execute(sql`select text from account_search where id = ${one.id}`)
  expect(rows).toEqual([{ text: expect.stringContaining('afterwards') }])
  await server.deps.db.execute(sql`delete from account where id = ${one.id}`)
  const gone = await server.deps.db.execute(sql`select from account_search where id = ${one.id}`)
  expect(gone.rows).toEqual([])
})

test.each(['shop', 'sh'])('pages that are just filled by what has %s are counted as they are', async (q) => {
  const cid = await server.as('operator', `cid-${q}`)
  await server.deps.db.execute(sql`
    insert into account (id, owner_id, created_by, type, username)
    select uuidv7(), ${cid.id}, ${cid.id}, 'google', 'shop ' || n from generate_series(1, 40) n`)
  const api = cid.api(accounts)
  for (const [perPage, page] of [
    [40, 1],
    [20, 1],
    [20, 2],
    [20, 3],
    [39, 1],
  ] as const) {
    const { data, ...told } = await api.list({ q, perPage, page })
    expect(told).toEqual({ totalRecord: 40, totalPage: Math.ceil(40 / perPage) })
    expect(data).toHaveLength(Math.min(perPage, Math.max(0, 40 - (page - 1) * perPage)))
  }
})

test('many that all stand far down a list come in its order, by whatever it is sorted', async () => {
  await server.deps.db.execute(sql`
    insert into account (id, owner_id, created_by, created_at, type, username)
    select uuidv7(), case when n % 3 = 0 then ${ben.id}::uuid else ${ann.id}::uuid end, ${ann.id},
      now() - interval '1 hour' - n * interval '1 second', 'google',
      case when n > 21000 then 'zz needle ' || n else 'hay ' || n end
    from generate_series(1, 25500) n`)
  const api = ann.api(accounts)
  const far = { q: 'needle', perPage: 25, page: 3 }
  const mine = (from: number, step: 1 | -1) => {
    const names: string[] = []
    for (let n = from; n > 21_000 && n <= 25_500; n += step) if (n % 3 !== 0) names.push(`zz needle ${n}`)
    return names
  }
  const newest = await api.list({ ...far, sortBy: 'createdAt', sortDesc: true })
  expect(newest.data.map(({ username }) => username)).toEqual(mine(21_001, 1).slice(50, 75))
  const oldest = await api.list({ ...far, sortBy: 'createdAt', sortDesc: false })
  expect(oldest.data.map(({ username }) => username)).toEqual(mine(25_500, -1).slice(50, 75))
  const named = await api.list({ ...far, sortBy: 'username', sortDesc: false })
  expect(named.data.map(({ username }) => username)).toEqual(mine(21_001, 1).slice(50, 75))
  expect(newest.totalRecord).toBeGreaterThan(1000)
  // Of so many not all are looked at to count them, though nobody has counted the table's rows yet.
  expect(await api.list({ q: 'zz', perPage: 25 })).toMatchObject({ totalEstimated: true })
  expect((await api.list({ ...far, page: 200 })).data).toEqual([])
})

describe('in a table whose size is known', () => {
  let eve: TestPerson
  /** The names that stand there, the newest first. */
  const all: { name: string; status: string }[] = []

  beforeAll(async () => {
    eve = await server.as('operator', 'eve')
    await server.deps.db.execute(sql`
      insert into account (id, owner_id, created_by, created_at, type, username, status)
      select uuidv7(), ${eve.id}, ${eve.id}, now() - interval '1 day' - n * interval '1 second', 'google',
        case when n = 1 or n > 24000 then 'deep ' else 'flat ' end || case when n % 10 = 0 then 'tenth ' else '' end ||
          case when n % 40 = 0 then 'fortieth ' else '' end || case when n % 9000 = 0 then 'scarce ' else '' end || n,
        case when n % 400 = 0 then 'limited' when n % 4 = 0 then 'paused' else 'ready' end
      from generate_series(1, 40000) n`)
    await server.deps.db.execute(sql`analyze account, account_search`)
    for (let n = 1; n <= 40_000; n += 1) {
      const marks = [
        n % 10 === 0 ? 'tenth ' : '',
        n % 40 === 0 ? 'fortieth ' : '',
        n % 9000 === 0 ? 'scarce ' : '',
      ]
      const name = `${n === 1 || n > 24_000 ? 'deep ' : 'flat '}${marks.join('')}${n}`
      all.push({ name, status: n % 400 === 0 ? 'limited' : n % 4 === 0 ? 'paused' : 'ready' })
    }
  })

  const byName = new Intl.Collator('und')
  const orders = {
    'the newest first': { sortBy: 'createdAt', sortDesc: true, of: () => all },
    'the oldest first': { sortBy: 'createdAt', sortDesc: false, of: () => all.toReversed() },
    'by name': {
      sortBy: 'username',
      sortDesc: true,
      of: () => all.toSorted((a, b) => byName.compare(b.name, a.name)),
    },
  } as const
  const wordsOfAllKinds = [
    'deep',
    'tenth',
    'fortieth',
    'scarce',
    'nowhere',
    'flat tenth',
    'eep 3',
    '12',
    'deep flat',
  ]

  describe.each(Object.entries(orders))('%s', (_, { sortBy, sortDesc, of }) => {
    let ordered: typeof all
    beforeAll(() => (ordered = of()))

    test.each(wordsOfAllKinds)(
      '%s is found, with a filter and without, on near pages and far ones',
      async (q) => {
        for (const accountStatus of [undefined, 'limited', 'ready,paused', 'paused,in_use']) {
          const statuses = accountStatus?.split(',')
          const names = ordered
            .filter(
              (one) =>
                q.split(' ').every((word) => one.name.includes(word)) &&
                (statuses?.includes(one.status) ?? true),
            )
            .map((one) => one.name)
          for (const page of [1, 3, 40]) {
            const filter = accountStatus ? { accountStatus } : {}
            const seen = await eve.api(accounts).list({ q, page, perPage: 25, sortBy, sortDesc, ...filter })
            const place = `${accountStatus}, page ${page}`
            expect({ place, names: seen.data.map(({ username }) => username) }).toEqual({
              place,
              names: names.slice((page - 1) * 25, page * 25),
            })
            if (!seen.totalEstimated) expect(seen.totalRecord).toBe(names.length)
            else {
              // What few of some thousand rows have is hard to tell from these.
              expect(seen.totalRecord).toBeGreaterThan(names.length < 1000 ? 0 : names.length / 5)
              expect(seen.totalRecord).toBeLessThan(Math.max(names.length * 5, 500))
            }
          }
        }
      },
    )
  })
})
