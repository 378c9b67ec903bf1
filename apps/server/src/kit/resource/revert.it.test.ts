import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { profiles } from '@weft/contract/profiles/api'
import { refusal } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { valuesBefore } from './revert.ts'

let server: TestServer
let ann: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  ann = await server.as('operator', 'ann')
})
afterAll(() => server.stop())

/** An account that was changed twice, and the lines of its history, oldest first. */
async function changedTwice(username: string) {
  const api = ann.api(accounts)
  const made = await api.create({ type: 'x', username, notes: 'first', password: 'one-of-many' })
  const second = await api.update({ id: made.id, version: made.version, notes: 'second', tags: ['a'] })
  const now = await api.update({
    id: made.id,
    version: second.version,
    notes: 'third',
    password: 'another-one',
  })
  const { data } = await api.history({ id: made.id })
  return { now, entries: data.toReversed() }
}

test('a record gets the values back that it had after a line of its history; secrets stay', async () => {
  const { now, entries } = await changedTwice('back')
  const api = ann.api(accounts)
  const middle = await api.revert({ id: now.id, version: now.version, entry: entries[1]?.id ?? '' })
  expect(middle).toMatchObject({ notes: 'second', tags: ['a'], password: { set: true } })
  const first = await api.revert({ id: now.id, version: middle.version, entry: entries[0]?.id ?? '' })
  expect(first).toMatchObject({ notes: 'first', tags: [] })
  const { data } = await api.history({ id: now.id })
  expect(data.map(({ label }) => label)).toEqual([
    'account.revert',
    'account.revert',
    'account.update',
    'account.update',
    'account.create',
  ])
  expect(JSON.stringify(data)).not.toContain('one-of-many')
  const again = await api.revert({ id: now.id, version: first.version, entry: data[0]?.id ?? '' })
  expect(again.version).toBe(first.version)
})

test('it is an update like any other: refused when stale, to strangers, and with what is no line of the record', async () => {
  const { now, entries } = await changedTwice('refused')
  const entry = entries[0]?.id ?? ''
  const stale = await refusal(ann.api(accounts).revert({ id: now.id, version: 1, entry }))
  expect(stale.body.code).toBe('record.stale')
  const ben = await server.as('operator', 'ben')
  expect(
    (await refusal(ben.api(accounts).revert({ id: now.id, version: now.version, entry }))).httpStatus,
  ).toBe(404)
  const viewer = await server.as('viewer')
  expect(
    (await refusal(viewer.api(accounts).revert({ id: now.id, version: now.version, entry }))).httpStatus,
  ).toBe(403)
  const other = await changedTwice('other')
  const foreign = { id: now.id, version: now.version, entry: other.entries[0]?.id ?? '' }
  expect((await refusal(ann.api(accounts).revert(foreign))).httpStatus).toBe(404)
})

test('a link to what is gone by now is refused and named', async () => {
  const profile = await ann.api(profiles).create({ name: 'gone' })
  const api = ann.api(accounts)
  const made = await api.create({ type: 'x', username: 'linked', profileId: profile.id })
  const now = await api.update({ id: made.id, version: made.version, profileId: null })
  await ann.api(profiles).remove({ id: profile.id })
  const { data } = await api.history({ id: made.id })
  const back = await refusal(api.revert({ id: made.id, version: now.version, entry: data.at(-1)?.id ?? '' }))
  expect(back.body).toMatchObject({ code: 'link.not_found', params: { field: 'profileId' } })
})

test('of several changes the oldest says what was before', () => {
  const changes = [{ a: 1 }, { a: 2, b: null }, { c: 3 }]
  expect(valuesBefore(changes, ['a', 'b'])).toEqual({ a: 1, b: null })
})
