import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import type { Account } from '@weft/contract/accounts/schema'
import type { Rule } from '@weft/contract/core/permissions'
import { imports } from '@weft/contract/imports/api'
import { profiles } from '@weft/contract/profiles/api'
import { importRow } from '../../kit/import/table.ts'
import { codeOf } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { role } from '../access/table.ts'
import { account } from '../accounts/table.ts'
import { applied } from './testing/applied.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const OWN: Pick<Rule, 'conditions'> = { conditions: { ownerId: '${user.id}' } }
const ALL: Rule[] = [
  { action: ['VIEW', 'CREATE', 'UPDATE', 'DELETE', 'IMPORT'], subject: ['ACCOUNT', 'PROFILE'], ...OWN },
]
const without = (lost: 'UPDATE' | 'DELETE'): Rule[] => [
  ...ALL,
  { action: lost, subject: 'ACCOUNT', inverted: true },
]

/** Gives somebody other rules, at once. */
async function rule(person: TestPerson, rules: Rule[]): Promise<void> {
  await server.deps.db.update(role).set({ rules }).where(eq(role.key, person.username))
  server.deps.identities.forget()
}

const undo = (person: TestPerson, id: string) => person.api(imports).undo({ id })
const HEAD = 'type,username,displayName'

/** An account of this person's that an import changes. */
async function changedBy(person: TestPerson, ...usernames: string[]) {
  const api = person.api(accounts)
  const made: Account[] = []
  for (const username of usernames)
    made.push(await api.create({ type: 'x', username, displayName: 'Before' }))
  const done = await applied(person, api, [HEAD, ...usernames.map((name) => `x,${name},After`)])
  const names = () => Promise.all(made.map(async ({ id }) => (await api.get({ id })).displayName))
  return { api, made, done, names }
}

describe('links', () => {
  test('to what is no longer shown to this person, or is in the trash, do not come back', async () => {
    const boss = (await server.as('administrator')).api(profiles)
    const lea = await server.withRules('links-lea', [
      ...ALL,
      { action: 'VIEW', subject: 'PROFILE', conditions: { notes: 'shared' } },
    ])
    const [own, shared, hidden] = [
      await lea.api(profiles).create({ name: 'own' }),
      await boss.create({ name: 'shared', notes: 'shared' }),
      await boss.create({ name: 'hidden', notes: 'shared' }),
    ]
    const trashed = await lea.api(profiles).create({ name: 'trashed' })
    const api = lea.api(accounts)
    const make = (username: string, profileId: string) => api.create({ type: 'x', username, profileId })
    const made = [
      await make('still', shared.id),
      await make('unshared', hidden.id),
      await make('gone', trashed.id),
    ]
    const done = await applied(lea, api, [
      'type,username,profileId',
      ...made.map(({ username }) => `x,${username},${own.id}`),
    ])
    expect(done.updated).toBe(3)
    await boss.update({ id: hidden.id, version: 1, notes: 'mine again' })
    await lea.api(profiles).remove({ id: trashed.id })
    expect(await undo(lea, done.id)).toMatchObject({ state: 'undone', updated: 2 })
    const now = await Promise.all(made.map(({ id }) => api.get({ id })))
    expect(now.map(({ profileId }) => profileId)).toEqual([shared.id, own.id, own.id])
  })

  test('that an import left as they were stand in nobody’s way', async () => {
    const boss = (await server.as('administrator')).api(profiles)
    const mia = await server.withRules('links-mia', [
      ...ALL,
      { action: 'VIEW', subject: 'PROFILE', conditions: { notes: 'shared' } },
    ])
    const shared = await boss.create({ name: 'kept', notes: 'shared' })
    const api = mia.api(accounts)
    const { id } = await api.create({ type: 'x', username: 'linked', profileId: shared.id })
    const done = await applied(mia, api, [`${HEAD},profileId`, `x,linked,After,${shared.id}`])
    await boss.update({ id: shared.id, version: 1, notes: '' })
    expect(await undo(mia, done.id)).toMatchObject({ updated: 0 })
    expect(await api.get({ id })).toMatchObject({ displayName: null, profileId: shared.id })
  })
})

describe('rights', () => {
  test('only what this person may still change gets its former values, field by field', async () => {
    const fay = await server.withRules('fay', ALL)
    const api = fay.api(accounts)
    const [noted, named] = [
      await api.create({ type: 'x', username: 'noted', notes: 'before' }),
      await api.create({ type: 'x', username: 'named', displayName: 'Before' }),
    ]
    const done = await applied(fay, api, [`${HEAD},notes`, 'x,noted,,after', 'x,named,After,'])
    await rule(fay, [
      ...without('UPDATE'),
      { action: 'UPDATE', subject: 'ACCOUNT', ...OWN, fields: ['notes'] },
    ])
    expect(await undo(fay, done.id)).toMatchObject({ state: 'undone', updated: 1 })
    expect(await api.get({ id: noted.id })).toMatchObject({ notes: 'before' })
    expect(await api.get({ id: named.id })).toMatchObject({ displayName: 'After' })
  })

  test('what goes along with a secret needs no right of its own', async () => {
    const gus = await server.withRules('gus', ALL)
    const api = gus.api(accounts)
    const { id } = await api.create({ type: 'x', username: 'signed out', password: 'first-secret' })
    const { db } = server.deps
    await db.update(account).set({ status: 'needs_sign_in' }).where(eq(account.id, id))
    const done = await applied(gus, api, ['type,username,password', 'x,signed out,second-secret'])
    expect((await api.get({ id })).status).toBe('ready')
    await rule(gus, [...ALL, { action: 'UPDATE', subject: 'ACCOUNT', inverted: true, fields: ['status'] }])
    expect(await undo(gus, done.id)).toMatchObject({ updated: 0 })
    expect((await api.get({ id })).status).toBe('needs_sign_in')
  })

  test('whoever may change none any more takes nothing back of what was changed', async () => {
    const una = await server.withRules('una', ALL)
    const { api, done, names } = await changedBy(una, 'una1')
    const mixed = await applied(una, api, [HEAD, 'x,una1,Later', 'x,una2,New'])
    await rule(una, without('UPDATE'))
    expect(await codeOf(undo(una, done.id))).toBe('access.denied')
    expect(await undo(una, mixed.id)).toMatchObject({ state: 'undone', created: 0, updated: 1 })
    expect(await names()).toEqual(['Later'])
  })

  test('whoever may delete none any more takes back nothing that was made', async () => {
    const dee = await server.withRules('dee', ALL)
    const api = dee.api(accounts)
    const done = await applied(dee, api, [HEAD, 'x,dee1,New'])
    await rule(dee, without('DELETE'))
    expect(await codeOf(undo(dee, done.id))).toBe('access.denied')
    await rule(dee, [
      ...without('DELETE'),
      { action: 'DELETE', subject: 'ACCOUNT', conditions: { notes: 'x' } },
    ])
    expect(await codeOf(undo(dee, done.id))).toBe('import.cannot_undo')
    expect((await api.list({})).totalRecord).toBe(1)
  })
})

describe('what happened since', () => {
  test('a record in the trash or in other hands stays as it is', async () => {
    const ian = await server.as('operator', 'ian')
    const heir = await server.as('operator', 'heir')
    const { api, made, done, names } = await changedBy(ian, 'stays', 'thrown', 'handed')
    const [, thrown, handed] = made
    const fresh = await applied(ian, api, [HEAD, 'x,fresh,New', 'x,given,New'])
    await api.remove({ id: thrown?.id ?? '' })
    const given = (await api.list({ q: 'given' })).data[0]?.id ?? ''
    const { db } = server.deps
    for (const id of [handed?.id ?? '', given])
      await db.update(account).set({ ownerId: heir.id }).where(eq(account.id, id))
    expect(await undo(ian, done.id)).toMatchObject({ updated: 2 })
    expect(await undo(ian, fresh.id)).toMatchObject({ created: 1 })
    const theirs = (await heir.api(accounts).list({ sortBy: 'username' })).data
    expect(theirs.map(({ username, displayName }) => [username, displayName])).toEqual([
      ['given', 'New'],
      ['handed', 'After'],
    ])
    const again = await api.restore({ id: thrown?.id ?? '' })
    expect(again.displayName).toBe('After')
    await db
      .update(account)
      .set({ ownerId: ian.id })
      .where(eq(account.id, handed?.id ?? ''))
    expect(await names()).toEqual(['Before', 'After', 'After'])
  })

  test('a value that another record has by now stays away from this one alone', async () => {
    const ted = await server.as('operator', 'ted')
    const { api, done, names } = await changedBy(ted, 'ted1', 'ted2', 'ted3')
    await api.create({ type: 'x', username: 'taken' })
    await server.deps.db
      .update(importRow)
      .set({ before: sql`before || '{"username": "taken"}'` })
      .where(sql`import_id = ${done.id} and row = 2`)
    expect(await undo(ted, done.id)).toMatchObject({ updated: 1 })
    expect(await names()).toEqual(['Before', 'After', 'Before'])
  })
})

test('what one import made and changed is gone with it, and counted so', async () => {
  const kim = await server.as('operator', 'kim')
  const api = kim.api(accounts)
  const done = await applied(kim, api, [HEAD, 'x,kim1,One', 'x,kim2,Two', 'x,kim1,Three', 'x,kim1,Four'])
  expect(done).toMatchObject({ created: 2, updated: 2 })
  expect(await undo(kim, done.id)).toMatchObject({ state: 'undone', created: 0, updated: 0 })
  expect((await api.list({})).totalRecord).toBe(0)
})

test('an import whose former values were not kept is not offered to be undone', async () => {
  const leo = await server.as('operator', 'leo')
  const { done } = await changedBy(leo, 'leo1')
  expect(done.can).toContain('undo')
  expect(done.cannot).toBeUndefined()
  await server.deps.db
    .update(importRow)
    .set({ version: null, before: null })
    .where(eq(importRow.importId, done.id))
  const reason = { can: [], cannot: { undo: 'import.cannot_undo' } }
  expect(await leo.api(imports).get({ id: done.id })).toMatchObject(reason)
  expect((await leo.api(imports).list({})).data).toMatchObject([reason])
  expect(await codeOf(undo(leo, done.id))).toBe('import.cannot_undo')
})

test('more records than are put back at a time', async () => {
  const COUNT = 2300
  const max = await server.as('operator', 'max')
  const api = max.api(accounts)
  const lines = (name: string) => Array.from({ length: COUNT }, (_, n) => `x,many${n},${name}`)
  const first = await applied(max, api, [HEAD, ...lines('Before')])
  const second = await applied(max, api, [HEAD, ...lines('After')])
  expect(second).toMatchObject({ created: 0, updated: COUNT })
  expect(await undo(max, second.id)).toMatchObject({ state: 'undone', updated: 0 })
  const { rows } = await server.deps.db.execute(sql`
    select display_name as name, version, count(*)::int as n from account where owner_id = ${max.id} group by 1, 2`)
  expect(rows).toEqual([{ name: 'Before', version: 3, n: COUNT }])
  expect(await codeOf(undo(max, first.id))).toBe('import.cannot_undo')
  const third = await applied(max, api, [HEAD, ...lines('New').map((line) => line.replace('many', 'more'))])
  expect(await undo(max, third.id)).toMatchObject({ state: 'undone', created: 0 })
  expect((await api.list({})).totalRecord).toBe(COUNT)
  const history = await server.deps.db.execute(sql`
    select count(*)::int as n from audit where actor_id = ${max.id} and label in ('account.undo', 'account.delete')`)
  expect(history.rows).toEqual([{ n: 2 * COUNT }])
}, 90_000)
