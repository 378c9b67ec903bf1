import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { mail } from '@weft/contract/access/mail/api'
import { nextStepSchema } from '@weft/contract/access/two-steps/schema'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import { refusal, testBrowser, type TestBrowser } from '../../../testing/browser.ts'
import { TEST_PASSWORD } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let clock = Date.now()
const MINUTE = 60_000

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock) })
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.deps.pool.query('delete from sign_in_throttle')
  // Each test begins in a half minute of its own: no code is one that was taken before.
  clock += 2 * MINUTE
})

/** What an authenticator app shows. */
const codeOf = (secret: string, at = clock) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })

/** Somebody who has just signed in with a password. */
async function signedInPerson(name: string): Promise<{ browser: TestBrowser; id: string }> {
  const { id } = await server.as('operator', name)
  const browser = testBrowser(server.url)
  await browser.signIn(name, TEST_PASSWORD)
  return { browser, id }
}

/** The same with an authenticator set up. */
async function withTotp(name: string) {
  const { browser, id } = await signedInPerson(name)
  const { secret } = await browser.api(twoSteps).enrol({})
  const { recoveryCodes } = await browser.api(twoSteps).confirm({ code: codeOf(secret) })
  clock += MINUTE
  return { browser, id, secret, recoveryCodes }
}

/** A fresh browser whose password was right. */
async function firstStep(username: string, remember = false) {
  const browser = testBrowser(server.url)
  const answer = await browser.api(access).login({ username, password: TEST_PASSWORD, remember })
  return { browser, ...nextStepSchema.parse(answer).twoSteps }
}

describe('an authenticator app', () => {
  it('is set up with a code that it shows, and asked for at the next sign-in', async () => {
    const { browser } = await signedInPerson('ann')
    const api = browser.api(twoSteps)
    expect(await api.state({})).toMatchObject({ totp: false, recoveryCodesLeft: 0, required: false })
    const first = await api.enrol({})
    const { secret, otpauthUrl } = await api.enrol({})
    expect(secret).not.toBe(first.secret)
    expect(otpauthUrl).toMatch(/^otpauth:\/\/totp\/WEFT:ann\?issuer=WEFT&secret=[A-Z2-7]{32}&algorithm=SHA1/)
    // Until it is confirmed nothing is asked for.
    await testBrowser(server.url).signIn('ann', TEST_PASSWORD)
    expect((await refusal(api.confirm({ code: codeOf(first.secret) }))).body.errors?.[0]).toMatchObject({
      path: 'code',
      code: 'two_steps.wrong_code',
    })
    const { recoveryCodes } = await api.confirm({ code: codeOf(secret) })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await refusal(api.enrol({}))).code).toBe('two_steps.already_on')
    expect(await api.state({})).toMatchObject({ totp: true, recoveryCodesLeft: 10 })

    clock += MINUTE
    const next = await firstStep('ann')
    expect(next).toMatchObject({ methods: ['totp', 'recovery'], enrol: false })
    expect(next.browser.jar.size).toBe(0)
    const done = await next.browser
      .api(twoSteps)
      .next({ ticket: next.ticket, method: 'totp', code: codeOf(secret) })
    next.browser.transport.token = done.token
    expect((await next.browser.api(access).info({})).user.username).toBe('ann')
    expect(next.browser.jar.has('rt')).toBe(true)
    const { rows } = await server.deps.pool.query<{ label: string; text: string }>(
      `select label, audit::text as text from audit where label like '%two_steps%' order by at`,
    )
    expect(rows.map(({ label }) => label)).toEqual([
      'two_steps.enrol',
      'two_steps.enrol',
      'two_steps.on',
      'auth.two_steps',
    ])
    const kept = await server.deps.pool.query<{ sealed_secret: string }>(
      'select sealed_secret from totp_factor',
    )
    for (const shown of [secret, ...recoveryCodes])
      expect(JSON.stringify([rows, kept.rows])).not.toContain(shown)
  })

  it('gives each code once, also to two who come at once, and none that is old', async () => {
    const { secret } = await withTotp('ben')
    const code = codeOf(secret)
    const [one, two] = [await firstStep('ben'), await firstStep('ben')]
    const both = await Promise.allSettled(
      [one, two].map(({ browser, ticket }) => browser.api(twoSteps).next({ ticket, method: 'totp', code })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const again = await firstStep('ben')
    const refused = (shown: string) =>
      refusal(again.browser.api(twoSteps).next({ ticket: again.ticket, method: 'totp', code: shown }))
    expect((await refused(code)).code).toBe('two_steps.wrong_code')
    expect((await refused(codeOf(secret, clock - 30_000))).code).toBe('two_steps.wrong_code')
    expect((await refused(codeOf(secret, clock + 2 * MINUTE))).code).toBe('two_steps.wrong_code')
  })

  it('lets a ticket be tried five times, be used once, and for five minutes', async () => {
    const { secret } = await withTotp('cat')
    const next = await firstStep('cat')
    const show = (code: string, ticket = next.ticket) =>
      next.browser.api(twoSteps).next({ ticket, method: 'totp', code })
    const wrong = await Promise.all(Array.from({ length: 5 }, () => refusal(show('000000'))))
    expect(new Set(wrong.map(({ code }) => code))).toEqual(new Set(['two_steps.wrong_code']))
    expect((await refusal(show(codeOf(secret)))).code).toBe('auth.ticket_ended')
    const second = await firstStep('cat')
    await show(codeOf(secret), second.ticket)
    clock += MINUTE
    expect((await refusal(show(codeOf(secret), second.ticket))).code).toBe('auth.ticket_ended')
    const third = await firstStep('cat')
    clock += 6 * MINUTE
    expect((await refusal(show(codeOf(secret), third.ticket))).code).toBe('auth.ticket_ended')
    expect((await refusal(show(codeOf(secret), 'made-up'))).code).toBe('auth.ticket_ended')
  })

  it('cannot be guessed with ever new tickets', async () => {
    await withTotp('dan')
    const codes: string[] = []
    for (let i = 0; i < 3; i += 1) {
      const { browser, ticket } = await firstStep('dan')
      for (let j = 0; j < 5; j += 1)
        codes.push(
          (await refusal(browser.api(twoSteps).next({ ticket, method: 'totp', code: '000000' }))).code,
        )
    }
    expect(codes.filter((code) => code === 'two_steps.wrong_code')).toHaveLength(10)
    expect(codes.at(-1)).toBe('auth.too_many_attempts')
  })

  it('of somebody else is worth nothing', async () => {
    const eve = await withTotp('eve')
    await withTotp('fay')
    const next = await firstStep('fay')
    const call = next.browser.api(twoSteps).next
    const { ticket } = next
    expect((await refusal(call({ ticket, method: 'totp', code: codeOf(eve.secret) }))).code).toBe(
      'two_steps.wrong_code',
    )
    expect((await refusal(call({ ticket, method: 'recovery', code: eve.recoveryCodes[0] ?? '' }))).code).toBe(
      'two_steps.wrong_code',
    )
    expect((await refusal(call({ ticket, method: 'passkey', code: 'x' }))).httpStatus).toBe(422)
  })

  it('is turned off, and then asked for no more', async () => {
    const { browser } = await withTotp('guy')
    await browser.api(twoSteps).turnOff({})
    expect(await browser.api(twoSteps).state({})).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    await testBrowser(server.url).signIn('guy', TEST_PASSWORD)
    expect((await refusal(browser.api(twoSteps).turnOff({}))).code).toBe('two_steps.not_on')
  })
})

describe('a recovery code', () => {
  it('signs in once, however it is typed; new ones make the old void', async () => {
    const { browser, recoveryCodes } = await withTotp('hal')
    const [first = '', second = ''] = recoveryCodes
    const use = async (code: string) => {
      const next = await firstStep('hal')
      return next.browser.api(twoSteps).next({ ticket: next.ticket, method: 'recovery', code })
    }
    await use(` ${first.toUpperCase().replaceAll('-', ' ')} `)
    expect((await refusal(use(first))).code).toBe('two_steps.wrong_code')
    expect(await browser.api(twoSteps).state({})).toMatchObject({ recoveryCodesLeft: 9 })
    const renewed = await browser.api(twoSteps).renewCodes({})
    expect((await refusal(use(second))).code).toBe('two_steps.wrong_code')
    await use(renewed.recoveryCodes[0] ?? '')
  })
})

describe('what matters', () => {
  it('asks for the password or a code again when the sign-in is older than five minutes', async () => {
    const { browser, secret } = await withTotp('ida')
    clock += 6 * MINUTE
    for (const call of ['turnOff', 'renewCodes'] as const)
      expect((await refusal(browser.api(twoSteps)[call]({}))).code).toBe('auth.confirm_required')
    const wrong = await refusal(browser.api(access).prove({ password: 'not the password' }))
    expect(wrong.body.errors?.[0]).toMatchObject({ path: 'password', code: 'auth.wrong_credentials' })
    expect((await refusal(browser.api(access).prove({ code: '000000' }))).code).toBe('two_steps.wrong_code')
    expect((await refusal(browser.api(access).prove({}))).httpStatus).toBe(422)
    await browser.api(access).prove({ code: codeOf(secret) })
    await browser.api(twoSteps).renewCodes({})
    clock += 6 * MINUTE
    expect((await refusal(browser.api(twoSteps).renewCodes({}))).code).toBe('auth.confirm_required')
    await browser.api(access).prove({ password: TEST_PASSWORD })
    await browser.api(twoSteps).renewCodes({})
  })
})

describe('a role', () => {
  it('can ask for a second step: who has none sets one up in the midst of the sign-in', async () => {
    await server.withRules('strict', [])
    await server.deps.pool.query(`update role set requires_two_steps = true where key = 'strict'`)
    const next = await firstStep('strict', true)
    expect(next).toMatchObject({ methods: [], enrol: true })
    const api = next.browser.api(twoSteps)
    const { ticket } = next
    expect((await refusal(api.next({ ticket, method: 'totp', code: '000000' }))).code).toBe(
      'auth.ticket_ended',
    )
    const { secret } = await api.nextEnrol({ ticket })
    expect((await refusal(api.nextConfirm({ ticket, code: '000000' }))).code).toBe('two_steps.wrong_code')
    const done = await api.nextConfirm({ ticket, code: codeOf(secret) })
    expect(done.recoveryCodes).toHaveLength(10)
    expect((await refusal(api.nextEnrol({ ticket }))).code).toBe('auth.ticket_ended')
    next.browser.transport.token = done.token
    expect(await api.state({})).toMatchObject({ totp: true, required: true })
    expect((await refusal(api.turnOff({}))).code).toBe('two_steps.required')
    expect((await next.browser.api(access).sessions({})).data[0]).toMatchObject({ remembered: true })
  })
})

describe('somebody’s second step', () => {
  it('is taken away by who manages people: sessions end, the person is told, it is audited', async () => {
    const { browser, id } = await withTotp('joy')
    await server.deps.pool.query(
      `update app_user set email = 'joy@example.org', email_key = 'joy@example.org', locale = 'ar' where id = $1`,
      [id],
    )
    // The clock has gone on for longer than a token lives.
    const chief = await server.as('administrator', 'chief')
    const stranger = await server.as('operator', 'stranger')
    expect((await refusal(stranger.api(twoSteps).reset({ id }))).code).toBe('access.denied')
    await chief.api(twoSteps).reset({ id })
    expect((await refusal(browser.api(access).info({}))).code).toBe('auth.ended')
    await testBrowser(server.url).signIn('joy', TEST_PASSWORD)
    await expect
      .poll(async () => (await chief.api(mail).outbox({ q: 'joy@example.org' })).data[0]?.kind)
      .toBe('twoStepsReset')
    const { rows } = await server.deps.pool.query<{ before: object; actor_name: string }>(
      `select before, actor_name from audit where label = 'two_steps.reset' and record_id = $1`,
      [id],
    )
    expect(rows).toMatchObject([{ before: { totp: true }, actor_name: 'chief' }])
  })
})
