import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { mail } from '@weft/contract/access/mail/api'
import { recovery } from '@weft/contract/access/recovery/api'
import { refusal, testBrowser } from '../../../testing/browser.ts'
import { TEST_PASSWORD, type TestPerson } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let admin: TestPerson
let clock = Date.now()
const MINUTE = 60_000
/** Links are mailed by a job. */
const PATIENT = { timeout: 30_000 }

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock) })
  admin = await server.as('administrator')
})
afterAll(() => server.stop())
beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

/** Somebody with an address. */
async function person(name: string): Promise<TestPerson & { email: string }> {
  const made = await server.as('operator', name)
  const email = `${name}@example.org`
  await server.deps.pool.query('update app_user set email = $2, email_key = $2 where id = $1', [
    made.id,
    email,
  ])
  return { ...made, email }
}

const visitor = () => server.anonymous.api(recovery)
const mailsTo = async (to: string) =>
  (await admin.api(mail).outbox({ perPage: 100 })).data.filter((one) => one.to === to)

/** The secret of the newest link that was mailed there. */
async function linkMailedTo(to: string): Promise<string> {
  await expect
    .poll(async () => (await mailsTo(to)).some(({ kind }) => kind === 'resetPassword'), PATIENT)
    .toBe(true)
  const newest = (await mailsTo(to)).find(({ kind }) => kind === 'resetPassword')
  return /#token=([\w-]+)/.exec(newest?.text ?? '')?.[1] ?? ''
}

const choose = (token: string, newPassword: string) =>
  visitor().reset({ token, newPassword, confirmPassword: newPassword })

describe('a forgotten password', () => {
  it('is replaced with the mailed link: every session ends, the person is told, the link is used up', async () => {
    const ann = await person('ann')
    await ann.api(access).info({})
    await visitor().forgot({ email: 'Ann@Example.org' })
    const token = await linkMailedTo(ann.email)
    expect(new Date((await visitor().check({ token })).expiresAt).getTime()).toBe(clock + 30 * MINUTE)
    await choose(token, 'a brand new password')
    expect((await refusal(ann.api(access).info({}))).code).toBe('auth.ended')
    await testBrowser(server.url).signIn('ann', 'a brand new password')
    expect((await refusal(testBrowser(server.url).signIn('ann', TEST_PASSWORD))).code).toBe(
      'auth.wrong_credentials',
    )
    expect((await refusal(choose(token, 'yet another password'))).code).toBe('one_time.used')
    expect((await refusal(visitor().check({ token }))).code).toBe('one_time.used')
    await expect
      .poll(async () => (await mailsTo(ann.email)).map(({ kind }) => kind))
      .toEqual(['passwordChanged', 'resetPassword'])
    const { rows } = await server.deps.pool.query<{ label: string; address: string }>(
      `select label, address from audit where record_id = $1 order by at`,
      [ann.id],
    )
    expect(rows.map(({ label }) => label)).toEqual(['password.link_asked', 'password.reset'])
    expect(rows[0]?.address).toBe('127.0.0.1')
  })

  it('is answered the same for an address that nobody has, and asked for once in five minutes', async () => {
    const ben = await person('ben')
    expect(await visitor().forgot({ email: ben.email })).toBeNull()
    expect(await visitor().forgot({ email: 'nobody@example.org' })).toBeNull()
    for (const email of [ben.email, 'nobody@example.org']) {
      const again = await refusal(visitor().forgot({ email: email.toUpperCase() }))
      expect(again.body).toMatchObject({
        code: 'auth.wait_next_request',
        message: 'You need to wait 5 minutes for the next request.',
      })
      expect(again.retryAfterSeconds).toBeGreaterThan(290)
    }
    await linkMailedTo(ben.email)
    expect(await mailsTo('nobody@example.org')).toEqual([])
  })

  it('takes as long for a known as for an unknown address', async () => {
    const cat = await person('cat')
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let i = 0; i < 40; i += 1)
      for (const kind of ['known', 'unknown'] as const) {
        await server.deps.pool.query('delete from sign_in_throttle')
        const before = performance.now()
        await visitor().forgot({ email: kind === 'known' ? cat.email : `nobody${i}@example.org` })
        times[kind].push(performance.now() - before)
      }
    const median = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
    await server.deps.pool.query(`delete from pgboss.job where name = 'recovery.link'`)
    // The call does the same work for both; what is left is the noise of a busy machine.
    expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(
      0.5 * Math.max(median(times.known), median(times.unknown)),
    )
  })

  it('cannot be asked for by the hundred from one address', async () => {
    const codes = []
    for (let i = 0; i < 22; i += 1)
      codes.push(
        await visitor()
          .forgot({ email: `guess${i}@example.org` })
          .then(
            () => 'taken',
            (error: { code: string }) => error.code,
          ),
      )
    expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'taken'))
    expect(codes.at(-1)).toBe('auth.too_many_attempts')
  })

  it('of somebody suspended stays forgotten', async () => {
    const dan = await person('dan')
    await server.deps.pool.query(`update app_user set status = 'suspended' where id = $1`, [dan.id])
    const token = (await admin.api(recovery).handOut({ id: dan.id })).url.split('#token=')[1] ?? ''
    expect((await refusal(visitor().check({ token }))).code).toBe('one_time.wrong')
    expect((await refusal(choose(token, 'a brand new password'))).code).toBe('one_time.wrong')
  })
})

describe('a one-time link', () => {
  it('is refused when it is made up, when it is old, and when a newer one was asked for', async () => {
    const eve = await person('eve')
    expect((await refusal(choose('made-up', 'a brand new password'))).code).toBe('one_time.wrong')
    await visitor().forgot({ email: eve.email })
    const first = await linkMailedTo(eve.email)
    await server.deps.pool.query('delete from sign_in_throttle')
    await visitor().forgot({ email: eve.email })
    await expect.poll(() => linkMailedTo(eve.email), PATIENT).not.toBe(first)
    const second = await linkMailedTo(eve.email)
    expect((await refusal(choose(first, 'a brand new password'))).code).toBe('one_time.wrong')
    clock += 31 * MINUTE
    expect((await refusal(choose(second, 'a brand new password'))).code).toBe('one_time.expired')
    clock -= 31 * MINUTE
    const both = await Promise.allSettled([
      choose(second, 'a brand new password'),
      choose(second, 'a brand new password'),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('that is good makes nobody wait, however many come from one office; guesses do', async () => {
    const una = await person('una')
    const token = (await admin.api(recovery).handOut({ id: una.id })).url.split('#token=')[1] ?? ''
    await server.deps.pool.query('delete from sign_in_throttle')
    for (let n = 0; n < 35; n += 1) await visitor().check({ token })
    const codes = new Set<string>()
    for (let n = 0; n < 35; n += 1) codes.add((await refusal(visitor().check({ token: `guess ${n}` }))).code)
    expect(codes).toEqual(new Set(['one_time.wrong', 'auth.too_many_attempts']))
    await server.deps.pool.query('delete from sign_in_throttle')
  })

  it('takes no password that is common, the person’s own name, one of the last five, or typed two ways', async () => {
    const fay = await person('fay')
    const link = async () => (await admin.api(recovery).handOut({ id: fay.id })).url.split('#token=')[1] ?? ''
    const token = await link()
    const codeOf = async (call: Promise<unknown>) => (await refusal(call)).body.errors?.[0]
    expect(await codeOf(choose(token, 'password123'))).toMatchObject({
      path: 'newPassword',
      code: 'password.common',
    })
    expect(await codeOf(choose(token, 'FAY@example.org'))).toMatchObject({ code: 'password.common' })
    expect(await codeOf(choose(token, TEST_PASSWORD))).toMatchObject({
      path: 'newPassword',
      code: 'password.used_before',
    })
    expect(
      await codeOf(visitor().reset({ token, newPassword: 'one way of it', confirmPassword: 'another way' })),
    ).toMatchObject({ path: 'confirmPassword', code: 'not_same' })
    for (let i = 1; i <= 4; i += 1) await choose(await link(), `my password number ${i}`)
    expect(await codeOf(choose(await link(), TEST_PASSWORD))).toMatchObject({ code: 'password.used_before' })
    await choose(await link(), 'my password number 5')
    await choose(await link(), TEST_PASSWORD)
  })

  it('takes a password of 256 characters exactly as it was typed', async () => {
    const hal = await person('hal')
    const token = (await admin.api(recovery).handOut({ id: hal.id })).url.split('#token=')[1] ?? ''
    const password = ` Ünï ${'كلمة '.repeat(60)}`.slice(0, 255).padEnd(256)
    await choose(token, password)
    for (const wrong of [
      password.trim(),
      password.toLowerCase(),
      password.slice(0, 72),
      password.slice(0, -1),
    ])
      expect((await refusal(testBrowser(server.url).signIn('hal', wrong))).code).toBe(
        'auth.wrong_credentials',
      )
    await testBrowser(server.url).signIn('hal', password)
  })

  it('is handed out by who manages people, and by nobody else', async () => {
    const guy = await person('guy')
    expect(await refusal(guy.api(recovery).handOut({ id: admin.id }))).toMatchObject({
      code: 'access.denied',
    })
    const own = await server.withRules('own-only', [
      { action: ['VIEW', 'MANAGE'], subject: 'USER', conditions: { ownerId: '${user.id}' } },
    ])
    expect((await refusal(own.api(recovery).handOut({ id: guy.id }))).code).toBe('record.not_found')
    await admin.api(recovery).handOut({ id: guy.id })
    const { rows } = await server.deps.pool.query<{ after: object }>(
      `select after from audit where label = 'password.link_handed_out' and record_id = $1`,
      [guy.id],
    )
    expect(JSON.stringify(rows)).not.toContain('token')
  })
})
