import { expect, test, type Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { botCheck, recovery, sso } from '@weft/contract/access/api'
import { mail } from '@weft/contract/access/mail/api'
import { SSO_PREFIX } from '@weft/contract/access/sso/api'
import { clientOf } from '@weft/contract/core/client'
import { projects } from '@weft/contract/projects/api'
import { changeSetting } from '../apps/server/src/features/system/settings.ts'
import { testOidcServer } from '../apps/server/src/testing/oidc-server.ts'
import { TEST_PASSWORD, type TestPerson } from '../apps/server/src/testing/people.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { startTestServer, type TestServer } from '../apps/server/src/testing/server.ts'
import { testVerifyServer } from '../apps/server/src/testing/verify-server.ts'
import { botScriptServer } from './support/bot-script.ts'
import { Console } from './support/console.ts'

const MINUTE = 60_000

let server: TestServer
let admin: TestPerson
let url: string
/** How far the server's clock is ahead of the machine's. */
let ahead = 0
const now = () => new Date(Date.now() + ahead)
/** How soon an ended session is out: five seconds, and as much again for a busy machine. */
const SOON = { timeout: 10_000 }

// Pages in each language have their own tests; what counts here is that people come in, and only they. Recording costs time.
test.use({ locale: 'en-US', trace: 'off' })

test.beforeAll(async () => {
  const port = await freePort()
  // A name and no address: passkeys are made for names.
  url = `http://localhost:${port}`
  server = await startTestServer({ port, now, settings: { publicUrl: url } })
  admin = await server.as('administrator', 'ada')
})
test.afterAll(() => server.stop())
test.beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

/** A person with an address, who has not signed in yet. */
async function person(name: string, role: 'operator' | 'viewer' = 'operator') {
  const made = await server.as(role, name)
  const email = `${name}@example.org`
  await server.deps.pool.query('update app_user set email = $2, email_key = $2 where id = $1', [
    made.id,
    email,
  ])
  return { ...made, email }
}

async function fillIn(page: Page, name: string, password = TEST_PASSWORD): Promise<void> {
  await page.getByLabel('Username or e-mail').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signIn(page: Page, name: string, password?: string): Promise<void> {
  await page.goto(`${url}/login`)
  await fillIn(page, name, password)
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
}

const settings = (page: Page, tab: string) => page.goto(`${url}/cms/user/settings?tab=${tab}`)
const heading = (page: Page, words: string) => page.getByRole('heading', { level: 1, name: words })
const codeNow = (secret: string) => new TOTP({ secret }).generate({ timestamp: now().getTime() })

const requireTwoSteps = (role: string, on: boolean) =>
  server.deps.pool.query('update role set requires_two_steps = $2 where key = $1', [role, on])

/** The secret of an authenticator as the page shows it for typing. */
const secretOn = async (page: Page) =>
  (await page.getByText(/^[A-Z2-7 ]{20,}$/).innerText()).replaceAll(/\s/g, '')

test('a wrong password is told, a long wait is counted down, and one comes where one wanted to go', async ({
  page,
}) => {
  await person('nora')
  await page.goto(`${url}/cms/project/list?q=x`)
  await expect(page).toHaveURL(`${url}/auth/login?nextUrl=%2Fcms%2Fproject%2Flist%3Fq%3Dx`)
  for (let tries = 0; tries < 5; tries += 1) {
    await fillIn(page, 'nora', `wrong ${tries}`)
    await expect(page.getByRole('alert')).toHaveText(
      'Looks like these are not your correct details. Please try again.',
    )
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
  }
  await fillIn(page, 'nora', 'wrong again')
  await expect(page.getByRole('button', { name: /^Try again in \d+ s$/ })).toBeDisabled()
  await expect(page.getByLabel('Username or e-mail')).toHaveValue('nora')
  await server.deps.pool.query('delete from sign_in_throttle')
  await page.reload()
  await fillIn(page, 'nora')
  await expect(page).toHaveURL(`${url}/cms/project/list?q=x`)
  await signOut(page)
  await page.goto(`${url}/login?nextUrl=${encodeURIComponent('//evil.example/x')}`)
  await fillIn(page, 'nora')
  await expect(page).toHaveURL(`${url}/dashboard`)
})

test('a forgotten password is replaced with the link; every session ends; bad links say what they are', async ({
  page,
  browser,
}) => {
  const { id, email } = await person('fay')
  const elsewhere = await (await browser.newContext()).newPage()
  await signIn(elsewhere, 'fay')

  await page.goto(`${url}/login`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(
    page.getByText("Enter your email and we'll send you instructions to reset your password"),
  ).toBeVisible()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByRole('status')).toContainText('instructions are on their way')
  await expect(page.getByRole('button', { name: /^Next request in 4:5\d$/ })).toBeDisabled()
  await page.reload()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByRole('alert')).toHaveText('You need to wait 5 minutes for the next request.')

  const mailed = async () =>
    (await admin.api(mail).outbox({ perPage: 50 })).data.find(
      ({ to, kind }) => to === email && kind === 'resetPassword',
    )
  await expect.poll(mailed).toBeTruthy()
  const link = /http\S+#token=[\w-]+/.exec((await mailed())?.text ?? '')?.[0] ?? ''
  await page.goto(link)
  await expect(
    page.getByText('Your new password must be different from previously used passwords'),
  ).toBeVisible()
  const choose = async (first: string, again: string) => {
    await page.getByLabel('New Password', { exact: true }).fill(first)
    await page.getByLabel('Confirm Password').fill(again)
    await page.getByRole('button', { name: 'Set new password' }).click()
  }
  await choose('a brand new password', 'another one')
  await expect(page.getByText('The two passwords differ')).toBeVisible()
  await choose('a brand new password', 'a brand new password')
  await expect(page.getByRole('status')).toHaveText('Your new password is set. Sign in with it.')
  await expect(elsewhere).toHaveURL(/\/auth\/login/, SOON)
  await fillIn(page, 'fay', 'a brand new password')
  await expect(page).toHaveURL(`${url}/dashboard`)

  await elsewhere.goto(link)
  await expect(heading(elsewhere, 'This link was used already')).toBeVisible()
  await elsewhere.goto(`${url}/auth/reset-password#token=made-up`)
  await expect(heading(elsewhere, 'This link is not known')).toBeVisible()
  await elsewhere.goto(`${url}/auth/reset-password`)
  await expect(heading(elsewhere, 'This link is incomplete')).toBeVisible()
  const { url: old } = await admin.api(recovery).handOut({ id })
  ahead += 31 * MINUTE
  await elsewhere.goto(old)
  await expect(heading(elsewhere, 'This link is too old')).toBeVisible()
  ahead -= 31 * MINUTE
  await elsewhere.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(heading(elsewhere, 'Forgot password')).toBeVisible()
  await elsewhere.context().close()
})

test('an authenticator is set up after a proof, asked for at the sign-in, and its recovery codes help out', async ({
  page,
}) => {
  await person('tom')
  const ui = new Console(page)
  await signIn(page, 'tom')
  await settings(page, 'security')
  // Long enough after the sign-in for the server to want to know once more who is here.
  ahead += 6 * MINUTE
  await ui.button('Set up an authenticator').click()
  const proof = ui.dialog('Confirm that it is you')
  await proof.getByLabel('Your password').fill('not it')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await expect(proof.getByText('This is not your password.')).toBeVisible()
  await proof.getByLabel('Your password').fill(TEST_PASSWORD)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  const setUp = ui.dialog('Set up an authenticator')
  await expect(setUp.locator('svg title')).toHaveText('QR code for your authenticator app')
  const secret = await secretOn(page)
  await setUp.getByLabel('Code that the app shows').fill(codeNow(secret))
  const codes = ui.dialog('Keep your recovery codes')
  const { name, bytes } = await ui.saved(() => codes.getByRole('button', { name: 'Download' }).click())
  expect(name).toBe('weft-recovery-codes.txt')
  const kept = bytes.toString('utf8').trim().split('\n').slice(2)
  expect(kept).toHaveLength(10)
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('10 codes are left.')).toBeVisible()

  await signOut(page)
  ahead += MINUTE
  await page.goto(`${url}/login?nextUrl=%2Fcms%2Fuser%2Fsettings`)
  await fillIn(page, 'tom')
  await expect(heading(page, 'Two-step verification')).toBeVisible()
  await page.getByLabel('Six-digit code').fill('000000')
  await expect(page.getByRole('alert')).toHaveText('The code is wrong or was used.')
  // The step waits in the history: a reload loses nothing.
  await page.reload()
  await page.getByLabel('Six-digit code').fill(codeNow(secret))
  await expect(page).toHaveURL(`${url}/cms/user/settings`)

  await signOut(page)
  await page.goto(`${url}/login`)
  await fillIn(page, 'tom')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(kept[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${url}/dashboard`)

  await signOut(page)
  await page.goto(`${url}/login`)
  await fillIn(page, 'tom')
  await expect(page.getByLabel('Six-digit code')).toBeVisible()
  ahead += 6 * MINUTE
  await page.getByLabel('Six-digit code').fill(codeNow(secret))
  await expect(page.getByRole('status')).toHaveText('This sign-in took too long; begin again.')
  await expect(page.getByLabel('Username or e-mail')).toHaveValue('tom')
  ahead = 0
})

test('a role that asks for a second step has it set up in the midst of the sign-in', async ({ page }) => {
  await person('rita', 'viewer')
  await requireTwoSteps('viewer', true)
  await page.goto(`${url}/login?nextUrl=%2Fcms%2Fuser%2Fsettings%3Ftab%3Dsecurity`)
  await fillIn(page, 'rita')
  await expect(heading(page, 'Set up two-step verification')).toBeVisible()
  await page.getByLabel('Code that the app shows').fill(codeNow(await secretOn(page)))
  await expect(heading(page, 'Keep your recovery codes')).toBeVisible()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page).toHaveURL(`${url}/cms/user/settings?tab=security`)
  await expect(page.getByText('Your role asks for a second step.')).toBeVisible()
  await requireTwoSteps('viewer', false)
})

test('a passkey is added, renamed, signs in, and is taken away', async ({ page }) => {
  await person('pia')
  const ui = new Console(page)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await signIn(page, 'pia')
  await settings(page, 'security')
  await ui.button('Add a passkey').click()
  await ui.dialog('Add a passkey').getByLabel('Name').fill('Pia’s laptop')
  await ui.button('Continue').click()
  await ui.dialog('Keep your recovery codes').getByRole('button', { name: 'I have kept them' }).click()
  await ui.button('Rename Pia’s laptop').click()
  await ui.dialog('Rename passkey').getByLabel('Name').fill('The blue one')
  await ui.button('Save').click()
  await expect(page.getByText('The blue one')).toBeVisible()

  await signOut(page)
  await fillIn(page, 'pia')
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await expect(page).toHaveURL(`${url}/dashboard`)
  await settings(page, 'security')
  await ui.button('Remove The blue one').click()
  await ui.agree('Remove')
  await expect(page.getByText('The passkey was removed.')).toBeVisible()
})

test('a provider signs in, back to the page that was wanted; what went wrong there is told', async ({
  page,
}) => {
  const client = { clientId: 'weft', clientSecret: 'a secret of the provider' }
  await using oidc = await testOidcServer({ ...client, redirectUri: `${url}${SSO_PREFIX}/corp/callback` })
  const provider = await admin.api(sso).create({
    key: 'corp',
    name: 'Corporation',
    issuer: oidc.issuer,
    appKey: client.clientId,
    appSecret: client.clientSecret,
    signUp: true,
    roleKey: 'operator',
  })
  oidc.person = { sub: 'u-1', email: 'kim@corp.example', email_verified: false }
  await page.goto(`${url}/cms/project/list`)
  await page.getByRole('link', { name: 'Continue with Corporation' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'The sign-in provider has not verified your e-mail address.',
  )
  oidc.person = { sub: 'u-2', email: 'kim@corp.example', email_verified: true, preferred_username: 'kim' }
  await page.context().clearCookies()
  await page.goto(`${url}/cms/project/list`)
  await page.getByRole('link', { name: 'Continue with Corporation' }).click()
  await expect(page).toHaveURL(`${url}/cms/project/list`)
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()

  // A role's second step is asked for on this way too.
  await requireTwoSteps('operator', true)
  await signOut(page)
  await page.goto(`${url}/cms/project/list`)
  await page.getByRole('link', { name: 'Continue with Corporation' }).click()
  await expect(heading(page, 'Set up two-step verification')).toBeVisible()
  await page.getByLabel('Code that the app shows').fill(codeNow(await secretOn(page)))
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page).toHaveURL(`${url}/cms/project/list`)
  await requireTwoSteps('operator', false)
  await admin.api(sso).remove({ id: provider.id })
})

test('a session that is ended elsewhere is over within ten seconds', async ({ page, browser }) => {
  await person('sam')
  const ui = new Console(page)
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'sam')
  await signIn(page, 'sam')
  await settings(page, 'sessions')
  await ui.button('End all others').click()
  await ui.agree('End all others')
  await expect(other).toHaveURL(/\/auth\/login/, SOON)
  await expect(other.getByRole('status')).toHaveText('The session has ended; sign in again.')
  await expect(ui.heading('Account settings')).toBeVisible()
  await expect(ui.button('End all others')).toBeHidden()
  await other.context().close()

  // Neither does a live connection that is refused while it is being made again keep the page open.
  const third = await (await browser.newContext()).newPage()
  await third.route('**/hub/negotiate**', (route) => route.abort())
  await signIn(third, 'sam')
  await expect(third.getByRole('button', { name: 'Your account' })).toBeVisible()
  await settings(page, 'sessions')
  await ui.button('End all others').click()
  await ui.agree('End all others')
  await expect(third).toHaveURL(/\/auth\/login/, SOON)
  await third.context().close()
})

test('an API token does what it was made for until it is revoked', async ({ page }) => {
  await person('tess')
  const ui = new Console(page)
  await signIn(page, 'tess')
  await settings(page, 'tokens')
  await ui.button('Create a token').click()
  const dialog = ui.dialog('Create a token')
  await dialog.getByLabel('Name').fill('nightly')
  await dialog.getByLabel('Projects: see').check()
  await dialog.getByRole('button', { name: 'Create a token' }).click()
  const secret = await ui.dialog('Token nightly').locator('code').innerText()
  await ui.button('I have copied it').click()
  const program = clientOf({ baseUrl: url, headers: () => ({ authorization: `Bearer ${secret}` }) }, projects)
  expect((await program.list({})).totalRecord).toBe(0)
  await expect(program.create({ name: 'not mine to make' })).rejects.toMatchObject({ httpStatus: 403 })
  await ui.button('Revoke nightly').click()
  await ui.agree('Revoke')
  await expect(page.getByText('The token was revoked.')).toBeVisible()
  await expect(program.list({})).rejects.toMatchObject({ httpStatus: 401 })
})

test('the bot check’s script is loaded and asked while a key is set, and only then', async ({ page }) => {
  await person('bea')
  const policy = async () => (await fetch(`${url}/login`)).headers.get('content-security-policy') ?? ''
  expect(await policy()).toContain("script-src 'self';")
  await using verify = await testVerifyServer('what we share')
  await using script = await botScriptServer((action) =>
    verify.issue({ action, hostname: 'localhost', score: 0.9 }),
  )
  await admin.api(botCheck).save({ verifyUrl: verify.url, scriptUrl: script.url, secret: 'what we share' })
  const setKey = (key: string) =>
    server.deps.db.transaction((tx) => changeSetting(tx, 'googleReCaptchaKey', key, null))
  await setKey('site-key-one-ext')
  try {
    await expect.poll(policy).toContain(new URL(script.url).origin)
    await signIn(page, 'bea')
    // Four parts: the fourth is not the key's.
    expect(script.rendered).toEqual(['site-key-one'])
    expect(verify.asked.map((form) => form.get('secret'))).toEqual(['what we share'])
    // A page of somebody signed in asks as well, where its call says so.
    await settings(page, 'password')
    await page.getByLabel('Current password').fill(TEST_PASSWORD)
    await page.getByLabel('New Password', { exact: true }).fill('a second password')
    await page.getByLabel('Confirm Password').fill('a second password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText(/^Your password was changed/)).toBeVisible()
    expect(verify.asked).toHaveLength(2)
  } finally {
    await setKey('')
  }
})
