import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { imports } from '@weft/contract/imports/api'
import { phones } from '@weft/contract/phones/api'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

test('a number keeps since when it is verified, whichever way that is said, until it is new again', async () => {
  const api = ann.api(phones)
  const since = async (id: string) => (await api.get({ id })).verifiedAt
  const one = await api.create({ phoneNumber: '+442071838750', deviceNote: ' Front desk ' })
  const two = await api.create({ phoneNumber: '+442071838751', status: 'verified' })
  expect(one).toMatchObject({ verifiedAt: null, deviceNote: 'Front desk' })
  expect(two.verifiedAt).not.toBeNull()
  await api.bulk({ selection: { ids: [one.id] }, action: 'update', fields: { status: 'verified' } })
  const first = await since(one.id)
  expect(first).not.toBeNull()
  const { version } = await api.get({ id: one.id })
  await api.update({ id: one.id, version, status: 'blocked' })
  await api.update({ id: one.id, version: version + 1, status: 'verified' })
  expect(await since(one.id)).toBe(first)
  expect((await api.list({ sortBy: 'verifiedAt' })).data.map(({ id }) => id)).toEqual([two.id, one.id])
  await api.update({ id: one.id, version: version + 2, status: 'new', deviceNote: null })
  expect(await since(one.id)).toBeNull()
})

test('a number of which that is not known does not begin to be verified with another change', async () => {
  const api = ann.api(phones)
  const { id, version } = await api.create({ phoneNumber: '+442071838753', status: 'verified' })
  await server.deps.db.execute(sql`update phone set verified_at = null where id = ${id}`)
  const after = await api.update({ id, version, status: 'verified', deviceNote: 'Shelf' })
  expect(after).toMatchObject({ deviceNote: 'Shelf', verifiedAt: null })
})

test('where its card is comes in with rows', async () => {
  const api = ann.api(phones)
  const body = 'phoneNumber,deviceNote,status\n+442071838752,Drawer,verified'
  const { import: made } = await api.import({ fileName: 'a.csv' }, { body })
  await ann.api(imports).apply({ id: made.id, take: 'all', duplicates: 'skip' })
  await vi.waitFor(
    async () =>
      expect((await api.list({ q: '8752' })).data).toMatchObject([
        { deviceNote: 'Drawer', verifiedAt: expect.any(String) },
      ]),
    10_000,
  )
})
