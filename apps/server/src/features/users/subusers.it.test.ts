import { afterAll, beforeAll, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { accounts } from '@weft/contract/accounts/api'
import { imports } from '@weft/contract/imports/api'
import { BUILT_IN_ROLES, type Rule } from '@weft/contract/core/permissions'
import { projects } from '@weft/contract/projects/api'
import { users } from '@weft/contract/users/api'
import { recovery } from '@weft/contract/access/recovery/api'
import { refusal, testBrowser, type TestBrowser } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const OWN_PEOPLE: Rule = {
  action: ['VIEW', 'CREATE', 'UPDATE', 'DELETE', 'MANAGE'],
  subject: 'USER',
  conditions: { ownerId: '${user.id}' },
}

let server: TestServer
let admin: TestPerson
/** An operator who may make people below themselves. */
let chief: TestPerson
let below: TestBrowser
let belowId = ''

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('administrator')
  chief = await server.withRules('chief', [...BUILT_IN_ROLES.operator, OWN_PEOPLE])
  ;({ browser: below, id: belowId } = await subuser(chief, 'below', ['chief']))
})
afterAll(() => server.stop())

const code = async (work: Promise<unknown>) => (await refusal(work)).code

async function subuser(
  by: { api: TestPerson['api'] },
  username: string,
  roles: string[],
): Promise<{ browser: TestBrowser; id: string }> {
  const { user, link } = await by.api(users).create({ username, roles })
  const newPassword = 'a password for tests 4'
  const token = link.url.split('#token=')[1] ?? ''
  await server.anonymous.api(recovery).reset({ token, newPassword, confirmPassword: newPassword })
  const browser = testBrowser(server.url)
  await server.deps.pool.query('delete from sign_in_throttle')
  await browser.signIn(username, newPassword)
  return { browser, id: user.id }
}

it('a sub-user sees and does no more than who made them, who sees no other people', async () => {
  expect((await chief.api(users).list({})).data.map(({ username }) => username).sort()).toContain('below')
  const everybody = await admin.api(users).list({})
  expect(everybody.totalRecord).toBe(everybody.data.length)
  expect((await chief.api(users).list({})).data.map(({ username }) => username)).not.toContain(
    'administrator',
  )
  expect(await chief.api(users).get({ id: belowId })).toMatchObject({
    parentId: chief.id,
    parentName: 'chief',
  })
  await below.api(projects).create({ name: 'own' })
  await admin.api(users).update({ id: belowId, version: 2, roles: ['administrator'] })
  expect(await code(below.api(access).sessionsOf({ id: admin.id }))).toBe('record.not_found')
  expect(await code(below.api(users).get({ id: admin.id }))).toBe('record.not_found')
  expect((await below.api(projects).list({})).totalRecord).toBe(1)
  expect((await admin.api(users).abilities({ id: belowId })).cut).toBe(true)
  await admin.api(users).update({ id: belowId, version: 3, roles: ['chief'] })
  expect((await admin.api(users).abilities({ id: belowId })).cut).toBe(false)
})

it('what the one above loses, all below lose, through generations', async () => {
  const { browser: third, id } = await subuser(below, 'third', ['chief'])
  expect((await chief.api(users).list({})).data.map(({ username }) => username)).not.toContain('third')
  await third.api(projects).create({ name: 'of the third' })
  const { version } = await admin.api(users).get({ id: chief.id })
  await admin.api(users).update({ id: chief.id, version, roles: ['viewer'] })
  expect(await code(third.api(projects).create({ name: 'no more' }))).toBe('access.denied')
  expect(await code(below.api(projects).create({ name: 'no more' }))).toBe('access.denied')
  expect((await third.api(projects).list({})).totalRecord).toBe(1)
  await admin.api(users).suspend({ id: chief.id })
  expect(await code(third.api(projects).list({}))).toBe('access.denied')
  expect((await third.api(access).info({})).abilities).toEqual([{ action: 'VIEW', subject: 'AUTH' }])
  await admin.api(users).activate({ id: chief.id })
  const again = await admin.api(users).get({ id: chief.id })
  await admin.api(users).update({ id: chief.id, version: again.version, roles: ['chief'] })
  await third.api(projects).create({ name: 'once more' })
  // Whoever takes their place stands above those below; an administrator leaves them on their own.
  await admin.api(users).transfer({ id: belowId, userId: chief.id })
  expect(await admin.api(users).get({ id })).toMatchObject({ parentId: chief.id, ownerId: chief.id })
  await admin.api(users).transfer({ id: chief.id, userId: belowId })
  expect(await admin.api(users).get({ id })).toMatchObject({ parentId: null, ownerId: belowId })
  expect(await admin.api(users).get({ id: belowId })).toMatchObject({ parentId: null })
})

it('limits hold for somebody together with all below them, and are never wider than above', async () => {
  const boss = await server.withRules('boss', [...BUILT_IN_ROLES.operator, OWN_PEOPLE])
  await admin.api(users).update({ id: boss.id, version: 1, quota: { accounts: 3, users: 1 } })
  const { browser: worker, id } = await subuser(boss, 'worker', ['boss'])
  const make = (who: { api: TestPerson['api'] }, username: string) =>
    who.api(accounts).create({ type: 'website', username })
  const wide = await refusal(boss.api(users).update({ id, version: 2, quota: { accounts: 4 } }))
  expect([wide.code, wide.body.params, wide.body.errors?.[0]?.path]).toEqual([
    'quota.beyond_own',
    { what: 'accounts', limit: 3 },
    'quota.accounts',
  ])
  await boss.api(users).update({ id, version: 2, quota: { accounts: 2 } })
  expect(await code(boss.api(users).create({ username: 'one-too-many' }))).toBe('quota.exceeded')
  expect(await code(boss.api(users).update({ id: boss.id, version: 2, quota: {} }))).toBe('user.not_yourself')
  await make(worker, 'w1')
  const second = await make(worker, 'w2')
  const full = await refusal(make(worker, 'w3'))
  expect([full.httpStatus, full.code, full.body.params]).toEqual([
    409,
    'quota.exceeded',
    { what: 'accounts', limit: 2 },
  ])
  await make(boss, 'b1')
  expect((await refusal(make(boss, 'b2'))).body.params).toEqual({ what: 'accounts', limit: 3 })
  await worker.api(accounts).remove({ id: second.id })
  const [first, other] = await Promise.allSettled([make(boss, 'b3'), make(worker, 'w3')])
  expect([first.status, other.status].sort()).toEqual(['fulfilled', 'rejected'])
  expect(await code(worker.api(accounts).restore({ id: second.id }))).toBe('quota.exceeded')
  const { quota } = await admin.api(users).owns({ id: boss.id })
  expect(quota.find(({ kind }) => kind === 'accounts')).toEqual({ kind: 'accounts', used: 3, limit: 3 })
  expect(quota.find(({ kind }) => kind === 'proxies')).toEqual({ kind: 'proxies', used: 0, limit: null })
})

it('an import takes as many rows as there is room for and names the others', async () => {
  const who = await server.as('operator', 'importer')
  await admin.api(users).update({ id: who.id, version: 1, quota: { accounts: 2 } })
  const body = `type,username\n${['a', 'b', 'c', 'd'].map((name) => `website,imp-${name}`).join('\n')}\n`
  const checked = await who.api(accounts).import({ fileName: 'x.csv' }, { body })
  const { id } = checked.import
  await who.api(imports).apply({ id, take: 'good' })
  await expect.poll(async () => (await who.api(imports).get({ id })).state).toBe('finished')
  expect((await who.api(accounts).list({})).totalRecord).toBe(2)
})
