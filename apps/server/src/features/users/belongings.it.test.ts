import { afterAll, beforeAll, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { accounts } from '@weft/contract/accounts/api'
import { phones } from '@weft/contract/phones/api'
import { projects } from '@weft/contract/projects/api'
import { users } from '@weft/contract/users/api'
import { refusal } from '../../testing/browser.ts'
import type { TestPerson } from '../../testing/people.ts'
import { emptyTrash } from '../trash/empty.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('administrator')
})
afterAll(() => server.stop())

const code = async (work: Promise<unknown>) => (await refusal(work)).code
const account = (who: TestPerson, username: string) => who.api(accounts).create({ type: 'website', username })

it('what somebody owns is told, and goes to a successor when they are deleted', async () => {
  const [ann, ben] = [await server.as('operator', 'ann'), await server.as('operator', 'ben')]
  const { id } = await account(ann, 'hers')
  await ann.api(projects).create({ name: 'Harbour' })
  const { owns, needsSuccessor } = await admin.api(users).owns({ id: ann.id })
  expect([owns, needsSuccessor]).toEqual([
    [
      { kind: 'accounts', count: 1 },
      { kind: 'projects', count: 1 },
    ],
    true,
  ])
  const refused = await refusal(admin.api(users).remove({ id: ann.id }))
  expect([refused.code, refused.body.params]).toEqual(['user.owns_records', { count: 2 }])
  expect(await code(admin.api(users).remove({ id: ann.id, userId: ann.id }))).toBe('user.to_oneself')
  const { moved } = await admin.api(users).remove({ id: ann.id, userId: ben.id })
  expect(moved).toEqual(owns)
  expect((await ben.api(accounts).get({ id })).username).toBe('hers')
  expect((await refusal(ann.api(access).info({}))).httpStatus).toBe(401)
  expect(await code(admin.api(users).get({ id: ann.id }))).toBe('record.not_found')
  const [trashed] = (await admin.api(users).list({ trashed: 'true' })).data
  expect(trashed).toMatchObject({ id: ann.id, can: ['restore'], deletedAt: expect.any(String) })
  await admin.api(users).restore({ id: ann.id })
  expect((await admin.api(users).get({ id: ann.id })).status).toBe('active')
  const history = await admin.api(users).history({ id: ann.id })
  expect(history.data.map(({ label }) => label)).toEqual(['user.restore', 'user.delete'])
})

it('a transfer takes the trash along, tells two of the same apart, and happens whole or not at all', async () => {
  const [carl, dora] = [await server.as('operator', 'carl'), await server.as('operator', 'dora')]
  const thrown = await account(carl, 'thrown')
  await carl.api(accounts).remove({ id: thrown.id })
  await carl.api(phones).create({ countryCode: '+33', phoneNumber: '+33612345678' })
  await dora.api(phones).create({ countryCode: '+33', phoneNumber: '+33612345678' })
  const refused = await refusal(admin.api(users).transfer({ id: carl.id, userId: dora.id }))
  expect([refused.code, refused.body.params]).toEqual(['user.transfer_conflict', { what: 'phones' }])
  expect((await carl.api(accounts).list({ trashed: 'true' })).totalRecord).toBe(1)
  const [phone] = (await dora.api(phones).list({})).data
  await dora.api(phones).remove({ id: phone?.id ?? '' })
  const { moved } = await admin.api(users).transfer({ id: carl.id, userId: dora.id })
  expect(moved).toEqual([
    { kind: 'accounts', count: 1 },
    { kind: 'phones', count: 1 },
  ])
  expect((await dora.api(accounts).list({ trashed: 'true' })).totalRecord).toBe(1)
  expect(await code(carl.api(accounts).restore({ id: thrown.id }))).toBe('record.not_found')
})

it('nobody deletes or transfers themselves out, others’ people, or people with more rights', async () => {
  const lead = await server.withRules('lead', [
    {
      action: ['VIEW', 'CREATE', 'DELETE', 'MANAGE'],
      subject: 'USER',
      conditions: { ownerId: '${user.id}' },
    },
  ])
  const eve = await server.as('operator', 'eve')
  expect(await code(lead.api(users).remove({ id: eve.id }))).toBe('record.not_found')
  expect(await code(lead.api(users).transfer({ id: eve.id, userId: lead.id }))).toBe('record.not_found')
  expect(await code(lead.api(users).owns({ id: eve.id }))).toBe('record.not_found')
  expect(await code(admin.api(users).remove({ id: admin.id }))).toBe('user.not_yourself')
  const { user } = await lead.api(users).create({ username: 'below', roles: ['lead'] })
  expect(await code(lead.api(users).transfer({ id: user.id, userId: admin.id }))).toBe('link.not_found')
  await admin.api(users).update({ id: user.id, version: 1, roles: ['operator'] })
  const seen = await lead.api(users).get({ id: user.id })
  expect([seen.can, seen.cannot?.['delete']]).toEqual([[], 'user.beyond_own'])
  expect(await code(lead.api(users).remove({ id: user.id }))).toBe('user.beyond_own')
  const second = await server.as('administrator', 'second')
  await admin.api(users).remove({ id: second.id })
  expect(await code(eve.api(users).remove({ id: admin.id }))).toBe('access.denied')
})

it('who lay in the trash for a month goes for good, unless something is still theirs or somebody below them', async () => {
  const ida = await server.as('operator', 'ida')
  const boss = await server.withRules('boss', [
    { action: ['VIEW', 'CREATE'], subject: 'USER', conditions: { ownerId: '${user.id}' } },
  ])
  const { user: below } = await boss.api(users).create({ username: 'kept-below', roles: [] })
  await admin.api(users).remove({ id: ida.id })
  await admin.api(users).remove({ id: below.id })
  await admin.api(users).remove({ id: boss.id })
  const { db, pool } = server.deps
  await pool.query(`update app_user set deleted_at = now() - interval '31 days' where id = any($1)`, [
    [ida.id, boss.id],
  ])
  await emptyTrash({ db })
  const { rows } = await pool.query<{ id: string }>('select id from app_user where id = any($1)', [
    [ida.id, boss.id, below.id],
  ])
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([boss.id, below.id]))
})

it('an invitation is mailed to who has an address', async () => {
  await admin
    .api(users)
    .create({ username: 'mona', email: 'mona@example.org', roles: ['viewer'], locale: 'fr' })
  const { rows } = await server.deps.pool.query(`select subject from mail where kind = 'invitation'`)
  expect(rows).toEqual([{ subject: 'WEFT : vous êtes invité' }])
})
