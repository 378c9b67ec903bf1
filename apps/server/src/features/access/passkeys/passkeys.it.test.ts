import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { access } from '@weft/contract/access/api'
import { passkeys } from '@weft/contract/access/passkeys/api'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import { nextStepSchema } from '@weft/contract/access/two-steps/schema'
import { SoftAuthenticator } from '../../../testing/authenticator.ts'
import { refusal, testBrowser, type TestBrowser } from '../../../testing/browser.ts'
import { TEST_PASSWORD } from '../../../testing/people.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let clock = Date.now()
const MINUTE = 60_000
const ORIGIN = 'https://weft.example.org'

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(clock), settings: { publicUrl: ORIGIN } })
})
afterAll(() => server.stop())
beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

async function signedInPerson(name: string): Promise<TestBrowser> {
  await server.as('operator', name)
  const browser = testBrowser(server.url)
  await browser.signIn(name, TEST_PASSWORD)
  return browser
}

async function addKey(browser: TestBrowser, name: string) {
  const key = new SoftAuthenticator(ORIGIN)
  const { options } = await browser.api(passkeys).options({})
  const made = await browser.api(passkeys).create({ name, passkey: key.make(options) })
  return { key, ...made }
}

/** A sign-in up to what the browser asks of a passkey. */
async function asked(username: string) {
  const browser = testBrowser(server.url)
  const answer = await browser.api(access).login({ username, password: TEST_PASSWORD })
  const { ticket, methods } = nextStepSchema.parse(answer).twoSteps
  const { options } = await browser.api(twoSteps).passkeyOptions({ ticket })
  const show = (passkey: ReturnType<SoftAuthenticator['use']>) =>
    browser.api(twoSteps).next({ ticket, method: 'passkey', passkey })
  return { ticket, methods, options, show }
}

describe('a passkey', () => {
  it('is made and signs in; recovery codes come with the first', async () => {
    const ann = await signedInPerson('ann')
    const first = await addKey(ann, 'laptop')
    expect(first.recoveryCodes).toHaveLength(10)
    const second = await addKey(ann, 'phone')
    expect(second.recoveryCodes).toEqual([])
    expect((await ann.api(passkeys).list({})).data.map(({ name }) => name)).toEqual(['laptop', 'phone'])
    for (const { key } of [first, second]) {
      const { methods, options, show } = await asked('ann')
      expect(methods).toEqual(['passkey', 'recovery'])
      expect((await show(key.use(options))).user.username).toBe('ann')
    }
    expect((await ann.api(passkeys).list({})).data.every(({ lastUsedAt }) => lastUsedAt !== null)).toBe(true)
  })

  it('is not good with a signature that was used, was made for another sign-in, or comes from a copy', async () => {
    const ben = await signedInPerson('ben')
    const { key } = await addKey(ben, 'key')
    const first = await asked('ben')
    const shown = key.use(first.options)
    await first.show(shown)
    expect((await refusal(first.show(shown))).code).toBe('auth.ticket_ended')
    const second = await asked('ben')
    expect((await refusal(second.show(shown))).code).toBe('passkey.refused')
    key.counter = 0
    expect((await refusal(second.show(key.use(second.options)))).code).toBe('passkey.refused')
    key.counter = 9
    await second.show(key.use(second.options))
  })

  it('of somebody else, of another site or of nobody is refused', async () => {
    const cat = await signedInPerson('cat')
    const dan = await signedInPerson('dan')
    await addKey(cat, 'key')
    const foreign = await addKey(dan, 'key')
    const { options, show } = await asked('cat')
    const danger = { ...options, allowCredentials: [{ id: foreign.key.id }] }
    expect((await refusal(show(foreign.key.use(danger)))).code).toBe('passkey.refused')
    const phishing = new SoftAuthenticator('https://weft.example.com')
    const made = await dan.api(passkeys).options({})
    expect(
      (await refusal(dan.api(passkeys).create({ name: 'x', passkey: phishing.make(made.options) }))).code,
    ).toBe('passkey.refused')
    const again = await dan.api(passkeys).options({})
    const key = new SoftAuthenticator(ORIGIN)
    const answer = key.make(again.options)
    await dan.api(passkeys).create({ name: 'one', passkey: answer })
    expect((await refusal(dan.api(passkeys).create({ name: 'two', passkey: answer }))).code).toBe(
      'passkey.refused',
    )
    const late = await dan.api(passkeys).options({})
    clock += 6 * MINUTE
    await dan.api(access).prove({ password: TEST_PASSWORD })
    expect(
      (
        await refusal(
          dan.api(passkeys).create({ name: 'x', passkey: new SoftAuthenticator(ORIGIN).make(late.options) }),
        )
      ).code,
    ).toBe('passkey.refused')
  })

  it('is renamed and taken away by its owner alone, with a fresh proof', async () => {
    const eve = await signedInPerson('eve')
    const fay = await signedInPerson('fay')
    const { passkey, key } = await addKey(eve, 'old name')
    const { id } = passkey
    expect((await refusal(fay.api(passkeys).rename({ id, name: 'mine' }))).code).toBe('record.not_found')
    expect((await refusal(fay.api(passkeys).remove({ id }))).code).toBe('record.not_found')
    expect((await eve.api(passkeys).rename({ id, name: 'new name' })).name).toBe('new name')
    clock += 6 * MINUTE
    expect((await refusal(eve.api(passkeys).remove({ id }))).code).toBe('auth.confirm_required')
    expect((await refusal(eve.api(passkeys).options({}))).code).toBe('auth.confirm_required')
    await eve.api(access).prove({ password: TEST_PASSWORD })
    const open = await asked('eve')
    await eve.api(passkeys).remove({ id })
    expect((await refusal(open.show(key.use(open.options)))).code).toBe('passkey.refused')
    await testBrowser(server.url).signIn('eve', TEST_PASSWORD)
    expect(await eve.api(twoSteps).state({})).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 })
  })
})
