import { expect, test, type Page } from '@playwright/test'
import { MEMBER, codeSite, type CodeSite } from './support/code-site.ts'
import { Console } from './support/console.ts'
import { ADMIN, until, Weft } from './support/weft.ts'

/** The sign-in desk: a person signs in to an account of their own in the browser of a client, through the console. */

test.use({ actionTimeout: 15_000, viewport: { width: 1440, height: 900 } })

let weft: Weft
let site: CodeSite
let accountId: string

test.beforeAll(async () => {
  site = await codeSite()
  weft = await Weft.start()
  const api = await weft.setUp()
  const profile = await api.profiles.create({ name: 'Mira’s browser', startUrls: [site.url] })
  const account = await api.accounts.create({
    type: 'website',
    username: MEMBER.name,
    profileId: profile.id,
    allowedDomains: [site.host],
  })
  accountId = account.id
  await until('a client', async () =>
    (await api.clients.list({ perPage: 5 })).data.some(({ connection }) => connection === 'online'),
  )
})
test.afterAll(async () => {
  await weft.stop()
  await site.stop()
})

async function signIn(page: Page): Promise<void> {
  await page.goto(`${weft.url}/login`)
  await page.getByLabel('Username or e-mail').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
}

/** Clicks where the page has something, in its own pixels; it is 1280 wide. */
async function clickInPicture(page: Page, title: string, x: number, y: number): Promise<void> {
  const picture = page.getByRole('img', { name: `Picture of the page: ${title}` })
  await expect(picture).toBeVisible()
  const box = await picture.boundingBox()
  if (!box) throw new Error('there is no picture')
  await page.mouse.click(box.x + (x * box.width) / 1280, box.y + (y * box.width) / 1280)
}

test('an account that only a person can sign in to is opened, signed in by hand, saved, and leaves the queue', async ({
  page,
}) => {
  await signIn(page)
  const ui = new Console(page)
  await ui.go('Resource', 'Sign-in desk')
  const row = ui.row(MEMBER.name)
  await expect(row).toContainText('Never signed in')
  await ui.rowAction(row, 'Open the browser')
  await ui
    .dialog(/Open the browser of/)
    .getByRole('button', { name: 'Open', exact: true })
    .click()
  await expect(ui.heading(`Browser of ${MEMBER.name}`)).toBeVisible()

  await clickInPicture(page, 'Members', 200, 140)
  await page.keyboard.type(MEMBER.name)
  await clickInPicture(page, 'Members', 200, 220)
  await page.getByLabel('Write or paste here').fill(MEMBER.password)
  await page.getByRole('button', { name: 'Send to the page' }).click()
  await clickInPicture(page, 'Members', 200, 300)
  await clickInPicture(page, 'Your code', 200, 140)
  await page.keyboard.type(MEMBER.code)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: `Picture of the page: Hello ${MEMBER.name}` })).toBeVisible()
  await expect(page.getByLabel('Address of the page')).toHaveValue(site.url)

  // The way out of the page for the keyboard.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(ui.button('Discard')).toBeFocused()
  await ui.button('Done, save session').click()
  await expect(ui.heading(`Browser of ${MEMBER.name}`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The session is saved' })).toBeVisible()
  await page.getByRole('link', { name: 'To the sign-in desk' }).click()
  await expect(page.getByText('Nobody is needed')).toBeVisible()
  const { accounts } = await weft.signIn()
  expect(await accounts.get({ id: accountId })).toMatchObject({ status: 'ready', lease: null })
  expect(weft.output).not.toContain(MEMBER.password)
})
