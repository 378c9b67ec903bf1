import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { botCheck } from '@weft/contract/access/bot-check/api'
import { recovery } from '@weft/contract/access/recovery/api'
import { BOT_ACTIONS } from '@weft/contract/core/bot-actions'
import { AppError } from '../../../kit/app-error.ts'
import { refusal } from '../../../testing/browser.ts'
import { TEST_PASSWORD, type TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { testVerifyServer, type TestVerifyServer } from '../../../testing/verify-server.ts'

const SECRET = 'what the verify server knows'
let server: TestServer
let verify: TestVerifyServer
let admin: TestPerson
const hostname = '127.0.0.1'

/** The site key is a setting like others. */
async function setKey(key: string): Promise<void> {
  await server.deps.pool.query(
    `insert into setting (key, value) values ('googleReCaptchaKey', to_jsonb($1::text))
     on conflict (key) do update set value = excluded.value`,
    [key],
  )
  await server.deps.pool.query(`select pg_notify('weft_settings', '')`)
  await expect.poll(async () => (await server.deps.system.all()).googleReCaptchaKey).toBe(key)
}

beforeAll(async () => {
  server = await startTestServer()
  verify = await testVerifyServer(SECRET)
  admin = await server.as('administrator')
  await server.as('operator', 'ann')
})
afterAll(async () => {
  await server.stop()
  await verify[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await server.deps.pool.query('delete from sign_in_throttle')
  verify.failWith = undefined
})

const login = (botToken?: string, password = TEST_PASSWORD) =>
  server.anonymous.api(access).login({ username: 'ann', password, botToken })

describe('the bot check', () => {
  it('is off while there is no site key', async () => {
    await admin.api(botCheck).save({ verifyUrl: verify.url, secret: SECRET })
    await login()
    expect(verify.asked).toEqual([])
  })

  it('lets a call pass with a token for its action, on this host, with a good score, once', async () => {
    await setKey('site-key')
    const token = verify.issue({ action: 'login', hostname, score: 0.9 })
    await login(token)
    expect(Object.fromEntries(verify.asked.at(-1) ?? [])).toEqual({
      secret: SECRET,
      response: token,
      remoteip: '127.0.0.1',
    })
    expect((await refusal(login(token))).code).toBe('bot.refused')
  })

  it('refuses no token, a made-up one, another action’s, another host’s, and a low score', async () => {
    const tokens = [
      undefined,
      'made-up',
      verify.issue({ action: 'createUser', hostname, score: 0.9 }),
      verify.issue({ action: 'login', hostname: 'elsewhere.example', score: 0.9 }),
      verify.issue({ action: 'login', hostname, score: 0.4 }),
    ]
    for (const token of tokens) {
      const error = await refusal(login(token))
      expect([token, error.httpStatus, error.code]).toEqual([token, 403, 'bot.refused'])
    }
    await admin.api(botCheck).save({ minScore: 0.3 })
    await login(verify.issue({ action: 'login', hostname, score: 0.4 }))
    await admin.api(botCheck).save({ minScore: 0.5 })
  })

  it('comes before the password is looked at', async () => {
    for (let i = 0; i < 7; i += 1) expect((await refusal(login('made-up', 'wrong'))).code).toBe('bot.refused')
    await login(verify.issue({ action: 'login', hostname, score: 0.9 }))
  })

  it('lets nobody in while the verify server fails or knows another secret', async () => {
    verify.failWith = 500
    const failed = await refusal(login(verify.issue({ action: 'login', hostname, score: 0.9 })))
    expect([failed.httpStatus, failed.code, failed.retryAfterSeconds]).toEqual([503, 'bot.unreachable', 30])
    verify.failWith = undefined
    await admin.api(botCheck).save({ verifyUrl: 'http://127.0.0.1:9/none' })
    expect((await refusal(login('x'))).code).toBe('bot.unreachable')
    await admin.api(botCheck).save({ verifyUrl: verify.url, secret: 'another' })
    expect((await refusal(login(verify.issue({ action: 'login', hostname, score: 0.9 })))).code).toBe(
      'bot.refused',
    )
    await admin.api(botCheck).save({ secret: SECRET })
  })

  it.each(BOT_ACTIONS)('knows the action %s', async (action) => {
    const pass = (token?: string) => server.deps.botCheck.pass({ action, token, address: '127.0.0.1' })
    await pass(verify.issue({ action, hostname, score: 0.9 }))
    const other = action === 'login' ? 'createUser' : 'login'
    await expect(pass(verify.issue({ action: other, hostname, score: 0.9 }))).rejects.toBeInstanceOf(AppError)
    await expect(pass()).rejects.toBeInstanceOf(AppError)
  })

  it('asks only about the actions that are chosen', async () => {
    await admin.api(botCheck).save({ actions: ['changePassword'] })
    await login()
    const forgot = (botToken?: string) =>
      server.anonymous.api(recovery).forgot({ email: 'ann@example.org', botToken })
    expect((await refusal(forgot())).code).toBe('bot.refused')
    await forgot(verify.issue({ action: 'changePassword', hostname, score: 0.9 }))
    await admin.api(botCheck).save({ actions: [...BOT_ACTIONS] })
  })

  it('is set by administrators alone; its secret is never shown and its changes are audited', async () => {
    const operator = await server.as('operator', 'ann')
    expect((await refusal(operator.api(botCheck).settings({}))).code).toBe('access.denied')
    expect((await refusal(operator.api(botCheck).save({ minScore: 0 }))).code).toBe('access.denied')
    const settings = await admin.api(botCheck).settings({})
    expect(settings).toMatchObject({ secret: { set: true }, minScore: 0.5, verifyUrl: verify.url })
    const { rows } = await server.deps.pool.query<object>(
      `select * from audit where label = 'bot_check.save'`,
    )
    expect(rows.length).toBeGreaterThan(3)
    expect(JSON.stringify(rows)).not.toContain(SECRET)
    for (const wrong of [{ minScore: 2 }, { verifyUrl: 'file:///etc/passwd' }, { actions: ['sleep'] }])
      expect((await refusal(admin.api(botCheck).save(wrong as never))).httpStatus).toBe(422)
  })
})
