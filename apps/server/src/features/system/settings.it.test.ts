import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { sso } from '@weft/contract/access/sso/api'
import { system } from '@weft/contract/system/api'
import { SETTING_KEYS, type Setting, type SettingKey } from '@weft/contract/system/settings'
import { users } from '@weft/contract/users/api'
import { clearOnce } from '../../plugins/housekeeping.ts'
import { refusal } from '../../testing/browser.ts'
import { TEST_PASSWORD, type TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('administrator')
})
afterAll(() => server.stop())

const list = async () => (await admin.api(system).settings({})).data
const find = async (key: SettingKey): Promise<Setting> => {
  const found = (await list()).find((setting) => setting.key === key)
  if (!found) throw new Error(`no ${key}`)
  return found
}
const save = async (key: SettingKey, value: unknown, by = admin) =>
  by.api(system).saveSettings({ changes: [{ key, value, version: (await find(key)).version }] })
const config = () => server.anonymous.api(system).config({})

describe('the settings', () => {
  it('are all there with their defaults, and nobody has changed them', async () => {
    const all = await list()
    expect(all.map(({ key }) => key)).toEqual(SETTING_KEYS)
    expect(all.every(({ value, default: standard }) => String(value) === String(standard))).toBe(true)
    expect(all.every(({ version, changedBy }) => version === 0 && changedBy === null)).toBe(true)
  })

  it('hold at once when they are changed, say by whom, and can be set back', async () => {
    await save('siteName', '  Loom ')
    await expect.poll(async () => (await config()).siteName).toBe('Loom')
    expect(await find('siteName')).toMatchObject({
      value: 'Loom',
      default: 'WEFT',
      version: 1,
      changedBy: { id: admin.id, name: 'administrator' },
    })
    await save('siteName', null)
    await expect.poll(async () => (await config()).siteName).toBe('WEFT')
    expect(await find('siteName')).toMatchObject({ value: 'WEFT', version: 2, changedBy: { id: admin.id } })
  })

  it('are refused with every wrong one named, and then nothing is changed', async () => {
    const error = await refusal(
      admin.api(system).saveSettings({
        changes: [
          { key: 'siteName', value: '', version: 2 },
          { key: 'sessionHours', value: 1_000, version: 0 },
          { key: 'signInAttempts', value: 'five', version: 0 },
          { key: 'defaultTimeZone', value: 'Atlantis/Capital', version: 0 },
          { key: 'defaultLanguage', value: 'ar', version: 0 },
        ],
      }),
    )
    expect(error.httpStatus).toBe(422)
    expect(error.body.errors?.map(({ path, code }) => [path, code])).toEqual([
      ['siteName', 'too_short'],
      ['sessionHours', 'too_big'],
      ['signInAttempts', 'type'],
      ['defaultTimeZone', 'format'],
    ])
    expect((await find('defaultLanguage')).value).toBe('en')
    const missing = { changes: [{ key: 'siteName', version: 2 }] }
    expect((await refusal(admin.api(system).saveSettings(missing as never))).httpStatus).toBe(422)
    const unknown = { changes: [{ key: 'colour', value: 'red', version: 0 }] }
    expect((await refusal(admin.api(system).saveSettings(unknown as never))).httpStatus).toBe(422)
  })

  it('are changed by one of two administrators who began at the same time', async () => {
    const other = await server.as('administrator', 'second')
    const { version } = await find('siteName')
    const change = (by: TestPerson, value: string) =>
      by.api(system).saveSettings({ changes: [{ key: 'siteName', value, version }] })
    const results = await Promise.allSettled([change(admin, 'First'), change(other, 'Second')])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const late = await refusal(change(other, 'Third'))
    expect([late.httpStatus, late.code]).toEqual([409, 'record.stale'])
    const current = late.body.current as Setting[]
    expect(current.find(({ key }) => key === 'siteName')?.version).toBe(version + 1)
    await save('siteName', null)
  })

  it('are nobody else’s, and are audited with before and after', async () => {
    const operator = await server.as('operator')
    expect((await refusal(operator.api(system).settings({}))).code).toBe('access.denied')
    const change = { changes: [{ key: 'siteName' as const, value: 'Mine', version: 0 }] }
    expect((await refusal(operator.api(system).saveSettings(change))).code).toBe('access.denied')
    const { rows } = await server.deps.pool.query(
      `select before, after from audit where label = 'settings.change' order by at limit 1`,
    )
    expect(rows).toEqual([{ before: { siteName: 'WEFT' }, after: { siteName: 'Loom' } }])
  })

  it('that guard the door ask for a fresh proof', async () => {
    const third = await server.as('administrator', 'third')
    await server.deps.pool.query(
      `update session set confirmed_at = now() - interval '10 minutes' where user_id = $1`,
      [third.id],
    )
    expect((await refusal(save('sessionHours', 10, third))).code).toBe('auth.confirm_required')
    await save('siteName', 'Loom', third)
    await save('siteName', null, third)
  })

  it('whose stored value is not valid any more are their defaults', async () => {
    await server.deps.pool.query(
      `insert into setting (key, value) values ('mailDays', '"many"') on conflict (key) do update set value = '"many"'`,
    )
    expect((await find('mailDays')).value).toBe(30)
    await save('mailDays', null)
  })
})

describe('what settings do', () => {
  const login = (password: string) => server.anonymous.api(access).login({ username: 'second', password })

  it('sessions live as long as they say', async () => {
    await save('sessionHours', 2)
    await save('sessionIdleMinutes', 30)
    await login(TEST_PASSWORD)
    const { rows } = await server.deps.pool.query<{ idle: number; whole: number }>(
      `select round(extract(epoch from idle_until - created_at) / 60)::int as idle,
        round(extract(epoch from expires_at - created_at) / 60)::int as whole from session order by id desc limit 1`,
    )
    expect(rows).toEqual([{ idle: 30, whole: 120 }])
  })

  it('tries to sign in are as many as they say', async () => {
    await save('signInAttempts', 3)
    for (let at = 0; at < 3; at += 1)
      expect((await refusal(login('wrong'))).code).toBe('auth.wrong_credentials')
    expect((await refusal(login('wrong'))).code).toBe('auth.too_many_attempts')
    await server.deps.pool.query('delete from sign_in_throttle')
    await save('signInAttempts', null)
  })

  it('new people have the language and the time zone that they say, unless told otherwise', async () => {
    await save('defaultLanguage', 'fr')
    await save('defaultTimeZone', 'Africa/Tunis')
    await expect.poll(async () => (await config()).defaultLanguage).toBe('fr')
    const invite = async (username: string, more: object = {}) =>
      (await admin.api(users).create({ username, ...more })).user
    expect(await invite('new-one')).toMatchObject({ locale: 'fr', timeZone: 'Africa/Tunis' })
    expect(await invite('new-two', { locale: 'ar' })).toMatchObject({
      locale: 'ar',
      timeZone: 'Africa/Tunis',
    })
    await save('defaultLanguage', null)
    await save('defaultTimeZone', null)
  })

  it('mail is kept as long as they say', async () => {
    await server.deps.pool.query(
      `insert into mail (id, kind, to_address, subject, state, created_at)
       values (gen_random_uuid(), 'test', 'a@example.org', 'Old', 'sent', now() - interval '5 days')`,
    )
    const count = async () => {
      await clearOnce(server.deps, (error) => {
        throw error
      })
      return (await server.deps.pool.query('select 1 from mail')).rowCount
    }
    expect(await count()).toBe(1)
    await save('mailDays', 3)
    expect(await count()).toBe(0)
  })
})

describe('signing in with a password', () => {
  it('cannot be turned off while nobody could turn it on again', async () => {
    const first = await refusal(save('localSignIn', false))
    expect([first.httpStatus, first.code]).toEqual([409, 'system.would_lock_out'])
    expect((await config()).authModes).toEqual(['LOCAL'])
    const provider = await admin.api(sso).create({
      key: 'home',
      name: 'Home',
      issuer: 'http://127.0.0.1:9/none',
      appKey: 'weft',
    })
    expect((await refusal(save('localSignIn', false))).code).toBe('system.would_lock_out')
    expect((await config()).authModes).toEqual(['LOCAL', 'SSO'])
    await server.deps.pool.query(
      `insert into sso_identity (provider_id, subject, user_id, created_at, last_used_at)
       values ($1, 'me', $2, now(), now())`,
      [provider.id, admin.id],
    )
    await save('localSignIn', false)
    await expect.poll(async () => (await config()).authModes).toEqual(['SSO'])
    expect((await config()).ssoProviders).toEqual([
      { key: 'home', name: 'Home', startUrl: '/api-user/api/v1/auth/sso/home/start' },
    ])
    const off = await refusal(
      server.anonymous.api(access).login({ username: 'second', password: TEST_PASSWORD }),
    )
    expect([off.httpStatus, off.code]).toEqual([403, 'auth.local_off'])
    // The provider cannot be put out or taken away as long as it is the only way in.
    const { id, version } = provider
    for (const attempt of [
      () => admin.api(sso).update({ id, version, enabled: false }),
      () => admin.api(sso).remove({ id }),
    ])
      expect((await refusal(attempt())).code).toBe('system.would_lock_out')
    // However it comes to be gone, passwords are there again.
    await server.deps.pool.query('update sso_provider set enabled = false')
    await expect.poll(async () => (await config()).authModes).toEqual(['LOCAL'])
    await server.anonymous.api(access).login({ username: 'second', password: TEST_PASSWORD })
    await save('localSignIn', null)
  })
})
