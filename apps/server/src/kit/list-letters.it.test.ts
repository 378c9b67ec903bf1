import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  expect((await api.list({ ...far, page: 200 })).data).toEqual([])
})
