import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { system } from '@weft/contract/system/api'
import { refusal, testBrowser } from '../../testing/browser.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { renewSetupToken } from './first-administrator.ts'

let server: TestServer
let clock = Date.now()

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock) })
})
afterAll(() => server.stop())

const MINUTE = 60_000

const browser = () => {
  const made = testBrowser(server.url)
  return { jar: made.jar, transport: made.transport, api: made.api(access) }
}

const PASSWORD = 'correct horse battery'

describe('the first administrator', () => {
  it('is made once, with the link, and is signed in', async () => {
    const config = server.anonymous.api(system)
    expect(await config.config({})).toMatchObject({ needsSetUp: true })
    const token = await renewSetupToken(server.deps.db)
    const first = browser()
    expect(
      await refusal(first.api.setUp({ token: 'guess', username: 'x1', password: PASSWORD })),
    ).toMatchObject({
      code: 'setup.wrong_token',
    })
    expect(
      await refusal(first.api.setUp({ token, username: 'root', password: 'Password123' })),
    ).toMatchObject({ code: 'password.common' })
    const two = await Promise.allSettled([
      first.api.setUp({ token, username: 'Root', displayName: 'The root', password: PASSWORD }),
      browser().api.setUp({ token, username: 'other', password: PASSWORD }),
    ])
    expect(two.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    const done = two.find((one) => one.status === 'fulfilled')
    expect(done?.value.user.roles).toEqual(['administrator'])
    expect(await refusal(browser().api.setUp({ token, username: 'late', password: PASSWORD }))).toMatchObject(
      {
        code: 'setup.done',
      },
    )
    expect(await config.config({})).toMatchObject({ needsSetUp: false })
  })
})

describe('signing in', () => {
  let name: string
  beforeAll(async () => {
    const { rows } = await server.deps.pool.query<{ username: string }>(
      `select username from app_user where password_hash like '$argon2id%'`,
    )
    name = rows[0]?.username ?? ''
  })

  it('takes the name in any case, and answers the same for a wrong password and an unknown name', async () => {
    const one = browser()
    const signedIn = wholeSignIn(
      await one.api.login({ username: ` ${name.toUpperCase()} `, password: PASSWORD }),
    )
    expect(signedIn.abilities[0]).toEqual({ action: 'VIEW', subject: 'AUTH' })
    one.transport.token = signedIn.token
    expect((await one.api.info({})).user.username).toBe(name)
    const wrong = await refusal(browser().api.login({ username: name, password: 'wrong-password' }))
    const unknown = await refusal(browser().api.login({ username: 'nobody', password: 'wrong-password' }))
    expect(wrong.httpStatus).toBe(401)
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })

  it('makes an attacker wait after five failures, and nobody else', async () => {
    const attempt = () => refusal(browser().api.login({ username: 'victim', password: 'guess-guess' }))
    const codes = []
    for (let i = 0; i < 6; i++) codes.push(await attempt())
    expect(codes.map((error) => error.code)).toEqual([
      ...Array.from({ length: 5 }, () => 'auth.wrong_credentials'),
      'auth.too_many_attempts',
    ])
    expect(codes.at(-1)?.retryAfterSeconds).toBeGreaterThan(20)
    await browser().api.login({ username: name, password: PASSWORD })
  })

  it('counts attempts made at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, () =>
        refusal(browser().api.login({ username: 'target', password: 'guess-guess' })),
      ),
    )
    expect(results.filter((error) => error.code === 'auth.wrong_credentials').length).toBeLessThanOrEqual(5)
  })

  it('names every wrong field', async () => {
    const error = await refusal(
      browser().api.login({ username: '', password: '', remember: 'yes', extra: 1 } as never),
    )
    expect(error.httpStatus).toBe(422)
    expect(error.body.errors?.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      'extra unknown',
      'password too_short',
      'remember type',
      'username too_short',
    ])
  })
})

describe('a session', () => {
  const begin = async (remember = false) => {
    await server.deps.pool.query('delete from sign_in_throttle')
    const { rows } = await server.deps.pool.query<{ username: string }>(
      `select username from app_user where password_hash like '$argon2id%'`,
    )
    const one = browser()
    const signedIn = wholeSignIn(
      await one.api.login({ username: rows[0]?.username ?? '', password: PASSWORD, remember }),
    )
    one.transport.token = signedIn.token
    return one
  }

  it('is refreshed with the cookie and the header, and with nothing less', async () => {
    const one = await begin()
    const before = one.jar.get('rt')
    const refreshed = await one.api.refresh({})
    expect(refreshed.token).not.toBe(one.transport.token)
    expect(one.jar.get('rt')).not.toBe(before)
    const cookie = `rt=${one.jar.get('rt')}; XSRF-TOKEN=${one.jar.get('XSRF-TOKEN')}`
    const bare = await fetch(`${server.url}${access.refresh.path}`, { method: 'POST', headers: { cookie } })
    expect(bare.status).toBe(403)
    const foreign = await fetch(`${server.url}${access.refresh.path}`, {
      method: 'POST',
      headers: {
        cookie,
        'x-xsrf-token': one.jar.get('XSRF-TOKEN') ?? '',
        origin: 'https://elsewhere.example',
      },
    })
    expect(foreign.status).toBe(403)
  })

  it('survives two tabs refreshing at once, and ends when an old token is shown later', async () => {
    const one = await begin()
    const old = one.jar.get('rt') ?? ''
    const xsrf = one.jar.get('XSRF-TOKEN') ?? ''
    const tab = () =>
      fetch(`${server.url}${access.refresh.path}`, {
        method: 'POST',
        headers: { cookie: `rt=${old}; XSRF-TOKEN=${xsrf}`, 'x-xsrf-token': xsrf },
      })
    const both = await Promise.all([tab(), tab()])
    expect(both.map((response) => response.status)).toEqual([200, 200])
    await one.api.info({})
    clock += 11_000
    const theft = await tab()
    expect(theft.status).toBe(401)
    expect(theft.headers.getSetCookie().join()).toContain('rt=;')
    expect((await refusal(one.api.info({}))).code).toBe('auth.ended')
    const { rows } = await server.deps.pool.query(`select 1 from audit where label = 'session.reused'`)
    expect(rows).toHaveLength(1)
  })

  it('ends by logging out, everywhere at once', async () => {
    const one = await begin()
    await one.api.info({})
    await one.api.logout({})
    expect(one.jar.has('rt')).toBe(false)
    expect((await refusal(one.api.info({}))).code).toBe('auth.ended')
  })

  it('shows the others and ends them', async () => {
    const one = await begin()
    const two = await begin(true)
    const listed = await one.api.sessions({})
    expect(listed.data.filter((session) => session.current)).toHaveLength(1)
    expect(listed.data.some((session) => session.remembered)).toBe(true)
    expect((await one.api.endSession({ others: true })).ended).toBeGreaterThan(0)
    expect((await refusal(two.api.info({}))).code).toBe('auth.ended')
    expect((await one.api.sessions({})).data).toHaveLength(1)
  })

  it('is seen and ended by who manages people, and by nobody else', async () => {
    const dora = await server.as('operator', 'dora')
    const boss = await server.as('administrator', 'boss')
    expect((await boss.api(access).sessionsOf({ id: dora.id })).data).toMatchObject([{ current: false }])
    expect((await refusal(dora.api(access).sessionsOf({ id: boss.id }))).code).toBe('access.denied')
    expect((await refusal(dora.api(access).endSessionsOf({ id: boss.id }))).code).toBe('access.denied')
    expect(await boss.api(access).endSessionsOf({ id: dora.id })).toEqual({ ended: 1 })
    expect((await refusal(dora.api(access).info({}))).code).toBe('auth.ended')
  })

  it('ends after two hours without use, or twelve in all; a remembered one lives thirty days', async () => {
    const idle = await begin()
    const remembered = await begin(true)
    clock += 16 * MINUTE
    expect((await refusal(idle.api.info({}))).code).toBe('auth.ended')
    idle.transport.token = (await idle.api.refresh({})).token
    await idle.api.info({})
    clock += 121 * MINUTE
    expect((await refusal(idle.api.refresh({}))).code).toBe('auth.ended')
    clock += 24 * 60 * MINUTE
    await remembered.api.refresh({})
    clock += 30 * 24 * 60 * MINUTE
    expect((await refusal(remembered.api.refresh({}))).code).toBe('auth.ended')
  })

  it('of somebody suspended is over', async () => {
    const person = await server.as('operator', 'soon-suspended')
    const api = person.api(access)
    await api.info({})
    await server.deps.pool.query(`update app_user set status = 'suspended' where id = $1`, [person.id])
    await server.deps.pool.query(`select pg_notify('weft_identity', '')`)
    await expect.poll(async () => (await refusal(api.info({}))).code, { timeout: 2_000 }).toBe('auth.ended')
  })
})
