import { expect, test, type Locator, type Page } from '@playwright/test'
import { seedAccounts } from '@weft/practice/seed'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { sketch } from '@weft/workflow/testing/builder'
import { clientOf } from '@weft/contract/core/client'
import { questions } from '@weft/contract/questions/api'
import { asking } from './support/asking.ts'
import { MEMBER, codeSite, type CodeSite } from './support/code-site.ts'
import { Console } from './support/console.ts'
import { ADMIN, until, Weft } from './support/weft.ts'

/** The sign-in desk: a person signs in to an account of their own in the browser of a client, through the console. */

test.use({ actionTimeout: 30_000, viewport: { width: 1440, height: 900 } })

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

/** Where in the console's window the picture of a page has a place of it, in the page's own pixels; it is 1280 wide. */
async function placeInPicture(page: Page, title: string, x: number, y: number): Promise<[number, number]> {
  const picture = page.getByRole('img', { name: `Picture of the page: ${title}` })
  await expect(picture).toBeVisible()
  const box = await picture.boundingBox()
  if (!box) throw new Error('there is no picture')
  return [box.x + (x * box.width) / 1280, box.y + (y * box.width) / 1280]
}

async function clickInPicture(page: Page, title: string, x: number, y: number): Promise<void> {
  await page.mouse.click(...(await placeInPicture(page, title, x, y)))
}

/** The middle of an element, as the same page has it in the test's own browser. */
async function middleOf(element: Locator): Promise<[number, number]> {
  const box = await element.boundingBox()
  if (!box) throw new Error('it is not to be seen')
  return [box.x + box.width / 2, box.y + box.height / 2]
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

  // The page asks for a file: it is given one of this computer.
  await clickInPicture(page, 'Members', 120, 424)
  const asked = page.getByRole('region', { name: 'The page asks for a file' })
  await expect(asked.getByRole('button', { name: 'From this computer' })).toBeVisible()
  await asked
    .locator('input[type=file]')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('89504e47', 'hex') })
  await expect(asked).toBeHidden()
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

test('what is done in a client’s browser becomes steps that run; an element is picked for one of them', async ({
  page,
  context,
}) => {
  const [member] = seedAccounts
  if (!member) throw new Error('the practice site has no accounts')
  const address = `${weft.practiceUrl}/notices/new`
  const twin = await context.newPage()
  await twin.setViewportSize({ width: 1280, height: 800 })
  await twin.goto(address)
  const { workflows } = await weft.signIn()
  const { id } = await workflows.create({ name: 'Recorded', draft: encodeDocument(emptyDocument()) })
  await page.bringToFront()
  await signIn(page)
  await page.goto(`${weft.url}/cms/workflow/editor/${id}`)
  const ui = new Console(page)
  await ui.button('Record').click()
  const recorder = ui.dialog('Record steps')
  await recorder.getByLabel('Address').fill(address)
  await recorder.getByRole('button', { name: 'Open the browser' }).click()
  const click = async (title: string, of: Locator) => clickInPicture(page, title, ...(await middleOf(of)))
  const steps = recorder.getByRole('list')

  const first = await twin.title()
  await click(first, twin.getByLabel('Username'))
  await page.keyboard.type(member.username)
  await expect(steps).toContainText(member.username)
  await click(first, twin.getByLabel('Password'))
  await page.getByLabel('Write or paste here').fill(member.password)
  await page.getByRole('button', { name: 'Send to the page' }).click()
  await expect(steps).toContainText('{{ inputs.password }}')
  await click(first, twin.getByRole('button', { name: 'Sign in' }))
  await twin.getByLabel('Username').fill(member.username)
  await twin.getByLabel('Password').fill(member.password)
  await twin.getByRole('button', { name: 'Sign in' }).click()
  await twin.getByLabel('Category').waitFor()

  const form = await twin.title()
  await click(form, twin.locator('textarea'))
  await page.keyboard.type('Lost at the pier')
  await click(form, twin.getByLabel('Category'))
  await page.getByRole('listbox').getByRole('option').nth(2).click()
  await expect(recorder.getByRole('listbox')).toHaveCount(0)
  // Keys go to the page again.
  await expect(recorder.getByRole('textbox', { name: 'Keys for the page' })).toBeFocused()
  await click(form, twin.locator('input[name=title]'))
  await page.keyboard.type('A red scarf')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: 'Picture of the page: A red scarf' })).toBeVisible()
  await expect(recorder.getByRole('heading', { name: '8 steps' })).toBeVisible()
  await recorder.getByRole('button', { name: 'Insert 8 steps' }).click()
  await expect(page.getByRole('treeitem')).toHaveCount(8)
  const signsIn = page.getByRole('treeitem').nth(3)
  await signsIn.click()

  // Another element for one of the steps.
  await page.getByRole('button', { name: 'Pick in browser' }).click()
  const picker = ui.dialog('Pick in browser')
  await expect(picker.getByLabel('Address')).toHaveValue(address)
  await picker.getByRole('button', { name: 'Open the browser' }).click()
  await twin.context().clearCookies({ domain: '127.0.0.1' })
  await twin.goto(address)
  const at = await placeInPicture(
    page,
    first,
    ...(await middleOf(twin.getByRole('button', { name: 'Sign in' }))),
  )
  await page.mouse.move(...at)
  await expect(picker.getByText('button “Sign in”')).toBeVisible()
  await page.mouse.click(...at)
  await expect(picker.getByText('Only this element').first()).toBeVisible()
  await picker.getByRole('button', { name: /^Use/ }).click()
  await expect(picker).toBeHidden()
  await expect(signsIn).toContainText('button “Sign in”')

  // It does again what was done.
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Test run' })
  await panel.getByRole('textbox', { name: 'password' }).fill(member.password)
  await panel.getByRole('button', { name: 'Run the workflow' }).click()
  await expect(page.getByRole('treeitem').last()).toContainText('Done')
  await expect(panel.getByText('Succeeded').first()).toBeVisible()
  expect(weft.output).not.toContain(member.password)
})

test('a campaign asks, its server is killed meanwhile, and it goes on with the answer where it was', async ({
  page,
}) => {
  const api = await weft.signIn()
  const client = await until('the local client', async () =>
    (await api.clients.list({})).data.find(({ connection }) => connection === 'online'),
  )
  const made = await api.workflows.create({ name: 'Asks', draft: encodeDocument(asking(weft.practiceUrl)) })
  await api.workflows.publish({ id: made.id, version: made.version })
  const { id } = await api.campaigns.create({ title: 'Asking round', workflowId: made.id })
  const [account] = (await api.accounts.list({ perPage: 1 })).data
  await api.campaigns.addAccounts({ campaignId: id, selection: { ids: [account?.id ?? ''] } })
  await api.campaigns.addClients({ campaignId: id, selection: { ids: [client.id] } })
  await api.campaigns.start({ id })
  const item = async () => (await api.campaigns.items({ id, perPage: 5 })).data[0]
  const asks = (title: string) =>
    until('the question', async () => {
      const reason = (await item())?.waitReasons[0]
      return reason?.code === 'wait.answer' && reason.params['title'] === title
    })
  await asks('May round a go on?')
  await weft.killServer()
  await weft.startServer()

  await signIn(page)
  const campaigns = page.getByRole('navigation').getByRole('button', { name: /^Campaigns/ })
  await expect(campaigns).toHaveAccessibleName('Campaigns 1 open question')
  await new Console(page).go('Campaigns', 'Questions')
  await page.getByRole('link', { name: 'May round a go on?' }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('img', { name: 'The page when the question was asked' })).toBeVisible()
  await drawer.getByLabel('Note').fill('first')
  await drawer.getByText('Yes', { exact: true }).click()
  await drawer.getByRole('button', { name: 'Answer' }).click()
  await expect(drawer).toBeHidden()
  await expect(new Console(page).row('May round a go on?')).toContainText('Answered')

  await asks('May round b go on?')
  const calls = clientOf(api.transport, questions)
  const [open] = (await calls.list({ state: ['open'] })).data
  await calls.answer({ id: open?.id ?? '', answers: { note: 'second', sure: false } })
  await until('the end', async () => (await api.campaigns.get({ id })).state === 'finished')
  expect((await item())?.outputs).toEqual({ notes: ['afirst', 'bsecond'], times: 1 })
})

test('a test run is answered where it was started, and its wait is skipped', async ({ page }) => {
  const api = await weft.signIn()
  const fields = [{ name: 'note', label: 'Note', kind: 'text' }]
  const ask = { title: 'What shall it say?', fields, waitSeconds: 600, who: 'people', names: 'nobody' }
  const document = sketch([
    { id: 'ask', type: 'ask-person', state: ask },
    { id: 'nap', name: 'Nap', type: 'delay', state: { seconds: 900 } },
    { id: 'say', type: 'log', state: { message: 'It says {{ steps.ask.answers.note }}' } },
  ])
  const { id } = await api.workflows.create({ name: 'Asks its author', draft: encodeDocument(document) })
  await signIn(page)
  await page.goto(`${weft.url}/cms/workflow/editor/${id}`)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Test run', exact: true })
  await panel.getByRole('button', { name: 'Run the workflow' }).click()
  const waits = panel.getByRole('region', { name: 'What the test run waits for' })
  await waits.getByLabel('Note').fill('good evening')
  await waits.getByRole('button', { name: 'Answer' }).click()
  await expect(waits.getByText('“Nap” waits until')).toBeVisible()
  await waits.getByRole('button', { name: 'Skip this wait' }).click()
  await expect(panel.getByText('Succeeded').first()).toBeVisible()
  await expect(waits).toBeHidden()
  await panel.getByRole('tab', { name: 'Log' }).click()
  await expect(panel.getByText('It says good evening')).toBeVisible()
  // A test that is being written outlasts another tab of the editor; whoever leaves the editor is asked.
  await panel.getByRole('tab', { name: 'Tests' }).click()
  await panel.getByRole('button', { name: 'New test' }).click()
  await panel.getByRole('textbox', { name: 'Name' }).fill('Says good evening')
  // What is begun of a comment waits where it was begun, also over a reload.
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await page.getByRole('tab', { name: 'Comments' }).click()
  await comment.fill('Is the nap long')
  await page.getByRole('tab', { name: 'Steps' }).first().click()
  await page.getByRole('tab', { name: 'Comments' }).click()
  await expect(comment).toHaveValue('Is the nap long')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  const leaving = page.getByRole('alertdialog').or(page.getByRole('dialog')).last()
  await expect(leaving).toContainText('What you changed in this test is lost.')
  await leaving.getByRole('button', { name: 'Stay' }).click()
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
  await expect(comment).toHaveValue('Is the nap long')
})
