import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { recovery } from '@weft/contract/access/recovery/api'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import { projects } from '@weft/contract/projects/api'
import { users } from '@weft/contract/users/api'
import { refusal, testBrowser } from '../../testing/browser.ts'
import { TEST_PASSWORD, type TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: TestPerson
let clock = Date.now()

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock) })
  admin = await server.as('administrator')
})
afterAll(() => server.stop())
beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

const code = async (work: Promise<unknown>) => (await refusal(work)).code
const person = async (id: string) => admin.api(users).get({ id })

/** Somebody who looks after the people they made, and holds the rights of an operator. */
const lead = () =>
  server.withRules('lead', [
    {
      action: ['VIEW', 'CREATE', 'UPDATE', 'MANAGE'],
      subject: 'USER',
      conditions: { ownerId: '${user.id}' },
    },
    { action: 'VIEW', subject: 'PROJECT' },
  ])

describe('an invitation', () => {
  it('gives a link with which the person sets their password and comes in', async () => {
    const { user, link } = await admin
      .api(users)
      .create({ username: 'Ann', email: 'ann@example.org', roles: ['viewer'] })
    expect(user).toMatchObject({
      username: 'Ann',
      roles: ['viewer'],
      hasPassword: false,
      lastSeenAt: null,
      ownerId: admin.id,
      can: ['update', 'delete', 'suspend', 'handOut', 'resetTwoSteps', 'endSessions', 'transfer'],
      roleNames: { viewer: 'Viewer' },
      createdByName: 'administrator',
      parentId: null,
    })
    const token = link.url.split('#token=')[1] ?? ''
    const newPassword = 'a password of her own'
    await server.anonymous.api(recovery).reset({ token, newPassword, confirmPassword: newPassword })
    const browser = testBrowser(server.url)
    await browser.signIn('ann', newPassword)
    expect((await browser.api(access).info({})).user.roles).toEqual(['viewer'])
    expect(await person(user.id)).toMatchObject({ hasPassword: true, lastSeenAt: expect.any(String) })
    const { rows } = await server.deps.pool.query(
      `select (select jsonb_agg(to_jsonb(a)) from audit a)::text || (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from idempotency i)::text as text`,
    )
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('refuses a name or address that is taken, a role that is not there, and bad fields', async () => {
    const api = admin.api(users)
    expect(await code(api.create({ username: 'ANN' }))).toBe('record.duplicate')
    expect(await code(api.create({ username: 'ann2', email: 'ANN@example.org' }))).toBe('record.duplicate')
    expect(await code(api.create({ username: 'ann3', roles: ['nonesuch'] }))).toBe('link.not_found')
    const bad = { username: 'a', email: 'no address', timeZone: 'Mars/Base' }
    await expect(api.create(bad)).rejects.toMatchObject({
      httpStatus: 422,
      body: { errors: [{ path: 'username' }, { path: 'email' }, { path: 'timeZone' }] },
    })
  })

  it('asks who signed in long ago to show once more who they are', async () => {
    clock += 6 * 60_000
    expect(await code(admin.api(users).create({ username: 'late' }))).toBe('auth.confirm_required')
    clock -= 6 * 60_000
    const { id } = await server.as('operator', 'back-again')
    await admin.api(users).remove({ id })
    clock += 6 * 60_000
    expect(await code(admin.api(users).restore({ id }))).toBe('auth.confirm_required')
    clock -= 6 * 60_000
  })
})

describe('people', () => {
  it('are listed, searched and filtered', async () => {
    const api = admin.api(users)
    await server.as('operator', 'olga')
    expect((await api.list({ q: 'olg' })).data.map(({ username }) => username)).toEqual(['olga'])
    expect((await api.list({ role: 'administrator' })).totalRecord).toBe(1)
    expect((await api.list({ status: 'suspended' })).totalRecord).toBe(0)
    expect((await api.subusers({})).data.map(({ username }) => username)).toEqual(['Ann'])
  })

  it('change by the version they were seen at', async () => {
    const { id } = await server.as('operator', 'otto')
    const api = admin.api(users)
    const changed = await api.update({ id, version: 1, displayName: 'Otto', timeZone: 'Europe/Paris' })
    expect(changed).toMatchObject({ displayName: 'Otto', timeZone: 'Europe/Paris', version: 2 })
    expect(await code(api.update({ id, version: 1, displayName: 'Old' }))).toBe('record.stale')
    const { rows } = await server.deps.pool.query(
      `select label, before->>'displayName' as before, after->>'displayName' as after from audit where record_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ label: 'user.update', before: 'otto', after: 'Otto' }])
  })

  it('have their new roles at their next call', async () => {
    const pat = await server.as('operator', 'pat')
    await pat.api(projects).create({ name: 'before' })
    await admin.api(users).update({ id: pat.id, version: 1, roles: ['viewer'] })
    expect(await code(pat.api(projects).create({ name: 'after' }))).toBe('access.denied')
  })

  it('are put out at once when suspended, and come in again', async () => {
    const sue = await server.as('operator', 'sue')
    const api = admin.api(users)
    expect(await api.suspend({ id: sue.id })).toMatchObject({
      status: 'suspended',
      can: expect.arrayContaining(['update', 'activate']),
    })
    expect((await refusal(sue.api(access).info({}))).httpStatus).toBe(401)
    expect(await code(testBrowser(server.url).signIn('sue', TEST_PASSWORD))).toBe('auth.wrong_credentials')
    expect(await code(api.suspend({ id: sue.id }))).toBe('record.wrong_state')
    await api.activate({ id: sue.id })
    await testBrowser(server.url).signIn('sue', TEST_PASSWORD)
  })
})

describe('rights over people', () => {
  it('end at those that one holds oneself', async () => {
    const api = (await lead()).api(users)
    expect(await code(api.create({ username: 'below', roles: ['operator'] }))).toBe('user.role_beyond_own')
    expect(await code(api.create({ username: 'below', roles: ['administrator'] }))).toBe(
      'user.role_beyond_own',
    )
    const { user } = await api.create({ username: 'below', roles: ['lead'] })
    expect((await api.list({})).data.map(({ id }) => id)).toContain(user.id)
    await admin.api(users).update({ id: user.id, version: user.version, roles: ['operator'] })
    expect(await code(api.suspend({ id: user.id }))).toBe('user.beyond_own')
    expect(await code(api.update({ id: user.id, version: 2, email: 'mine@example.org' }))).toBe(
      'user.beyond_own',
    )
  })

  it('let nobody take the place of somebody with more of them', async () => {
    const boss = await lead()
    const { user } = await boss.api(users).create({ username: 'promoted', roles: ['lead'] })
    await admin.api(users).update({ id: user.id, version: user.version, roles: ['operator'] })
    expect(await code(boss.api(recovery).handOut({ id: user.id }))).toBe('user.beyond_own')
    expect(await code(boss.api(twoSteps).reset({ id: user.id }))).toBe('user.beyond_own')
    expect(await code(boss.api(access).endSessionsOf({ id: user.id }))).toBe('user.beyond_own')
  })

  it('do not reach people of others', async () => {
    const api = (await lead()).api(users)
    expect(await code(api.get({ id: admin.id }))).toBe('record.not_found')
    expect(await code(api.suspend({ id: admin.id }))).toBe('record.not_found')
    expect(await code(api.update({ id: admin.id, version: 1, roles: [] }))).toBe('record.not_found')
  })

  it('never leave the installation without an administrator, also of two who demote each other at once', async () => {
    const api = admin.api(users)
    expect(await code(api.suspend({ id: admin.id }))).toBe('user.not_yourself')
    const alone = await person(admin.id)
    expect(await code(api.update({ id: admin.id, version: alone.version, roles: ['viewer'] }))).toBe(
      'user.last_administrator',
    )
    const invited = (await api.create({ username: 'invited', roles: ['administrator'] })).user
    expect(await code(api.update({ id: admin.id, version: alone.version, roles: [] }))).toBe(
      'user.last_administrator',
    )
    await api.update({ id: invited.id, version: invited.version, roles: [] })
    const second = await server.as('administrator', 'second')
    const both = await Promise.allSettled([
      api.update({ id: second.id, version: 1, roles: [] }),
      second.api(users).update({ id: admin.id, version: alone.version, roles: [] }),
    ])
    const { rows } = await server.deps.pool.query(
      `select 1 from user_role ur join role r on r.id = ur.role_id where r.key = 'administrator'`,
    )
    expect([both.filter(({ status }) => status === 'fulfilled').length, rows.length]).toEqual([1, 1])
  })
})

describe('oneself', () => {
  it('is changed without any right over people', async () => {
    const api = (await server.as('viewer', 'vera')).api(users)
    const { version } = await api.profile({})
    expect(await api.updateProfile({ version, displayName: 'Vera', locale: 'ar' })).toMatchObject({
      displayName: 'Vera',
      locale: 'ar',
      version: version + 1,
    })
    expect(await code(api.updateProfile({ version, locale: 'fr' }))).toBe('record.stale')
    expect(await code(api.list({}))).toBe('access.denied')
  })

  it('gets a new password for the present one; every other session ends', async () => {
    const here = testBrowser(server.url)
    const elsewhere = await server.as('viewer', 'walt')
    await here.signIn('walt', TEST_PASSWORD)
    const change = (currentPassword: string, newPassword: string) =>
      here.api(users).changePassword({ currentPassword, newPassword, confirmPassword: newPassword })
    await expect(change('not it', 'something new')).rejects.toMatchObject({
      httpStatus: 422,
      body: { errors: [{ path: 'currentPassword', code: 'auth.wrong_credentials' }] },
    })
    expect(await code(change(TEST_PASSWORD, TEST_PASSWORD))).toBe('password.used_before')
    expect(await change(TEST_PASSWORD, 'something new')).toEqual({ sessionsEnded: 1 })
    expect(await code(elsewhere.api(access).info({}))).toBe('auth.ended')
    expect((await here.api(access).info({})).user.username).toBe('walt')
    await testBrowser(server.url).signIn('walt', 'something new')
  })
})
