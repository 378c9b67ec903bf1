import { expect, test, type Locator, type Page } from '@playwright/test'
import { readZip } from '@weft/agent/executor/browser/zip'
import { seedAccounts } from '@weft/practice/seed'
import { encodeDocument } from '@weft/workflow/state-codec'
import { sketch } from '@weft/workflow/testing/builder'
import { Console } from './support/console.ts'
import { parseCsv } from './support/csv.ts'
import { Machine } from './support/machine.ts'
import { slowDown } from './support/practice.ts'
import { ADMIN, Weft } from './support/weft.ts'

const CAMPAIGN = 'First notices'
const WRONG = 'harbour07'
const SECOND = 'Back office'
const CANCELLED = 'harbour12'
const ACTION_MS = 30_000
const GRACE_MS = 20_000

let weft: Weft
let at: Console
let machine: Machine | undefined

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  weft = await Weft.start({ WEFT_SLOTS: '2' })
  const context = await browser.newContext({
    baseURL: weft.url,
    viewport: { width: 1440, height: 900 },
    acceptDownloads: true,
  })
  context.setDefaultTimeout(ACTION_MS)
  at = new Console(await context.newPage())
})

test.afterAll(async () => {
  await machine?.clear()
  await weft.stop()
})

test('the one-time link makes the administrator; what is wrong is said beside its field', async () => {
  const { page } = at
  await page.goto(weft.setUpLink)
  const username = page.getByLabel('Username')
  const password = page.getByLabel('Password', { exact: true })
  const confirm = page.getByLabel('Confirm password')
  await username.fill(ADMIN.username)
  await password.fill('short')
  await confirm.fill('shirt')
  await at.button('Create administrator').click()
  await expect(password).toHaveAccessibleDescription(/At least 8 needed/)
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(confirm).toHaveAccessibleDescription('The two passwords differ')
  await expect(username).toHaveValue(ADMIN.username)
  await expect(password).toHaveValue('short')

  await password.fill(ADMIN.password)
  await confirm.fill(ADMIN.password)
  await at.button('Create administrator').click()
  await page.waitForURL('**/dashboard')
  await at.markLoaded()
  await expect(page.getByText('2 of 2 slots free')).toBeVisible()
  await expect(page.getByRole('link', { name: /Clients online/ })).toContainText(/Clients online\s*1/)
  await expect(page.getByRole('listitem').filter({ hasText: CAMPAIGN })).toContainText('Draft')
  await at.expectNotReloaded()
})

test('a link that was used says so and leads to the sign-in', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(weft.setUpLink)
  await expect(page.getByText('The first administrator exists already.')).toBeVisible()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await context.close()
})

test('the menus lead to all that is there to begin with', async () => {
  const { page } = at
  await at.go('Project Management', 'Projects')
  await page.getByRole('link', { name: 'Getting started' }).click()
  await expect(at.heading('Getting started')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Post a notice' })).toBeVisible()
  await at.tab('Campaigns').click()
  await expect(page.getByRole('link', { name: CAMPAIGN })).toBeVisible()
  await at.tab('Workflows').click()
  await page.getByRole('link', { name: 'Post a notice' }).click()
  await expect(at.heading('Post a notice')).toBeVisible()
  await expect(page.getByText('Sign in', { exact: true })).toBeVisible()

  await at.go('Resource', 'Accounts')
  await expect(at.row(/harbour\d\d/)).toHaveCount(seedAccounts.length)
  await at.go('Resource', 'Profiles')
  await expect(at.row('Desk')).toHaveCount(2)
  await at.go('Resource', 'Clients')
  await expect(at.row('This machine')).toContainText('Online')
  await at.go('Campaigns', 'Campaign List')
  await expect(at.row(CAMPAIGN)).toContainText('Draft')
})

test('a step is tried while it is written, by keyboard: a name completed, its value seen, its output pinned', async () => {
  const { page } = at
  const { workflows } = await weft.signIn()
  const steps = sketch([
    { id: 'open', type: 'open-page', name: 'Open it', state: { url: `${weft.practiceUrl}/sign-in` } },
    { id: 'say', type: 'log', name: 'Say it', state: { message: 'At ' } },
  ])
  const { id } = await workflows.create({ name: 'Tried out', draft: encodeDocument(steps) })
  await page.goto(`/cms/workflow/editor/${id}`)
  const open = page.getByRole('treeitem', { name: /Open it/ })
  const say = page.getByRole('treeitem', { name: /Say it/ })

  // One step alone, from the list of steps.
  await open.focus()
  await page.keyboard.press('Control+Enter')
  await expect(open).toContainText('Done')
  await expect(say).not.toContainText('Done')

  // What it gave stands in for it.
  await open.focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Run this step' })).toBeFocused()
  // There is something to pin once the run is over.
  const pin = page.getByRole('menuitem', { name: 'Pin its last output' })
  await expect(pin).toBeEnabled()
  // Up from the first is the last, which is about comments.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(pin).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(open).toContainText('Output pinned')

  // The next step names it, and shows what that gives; nothing of it is saved.
  await say.click()
  const message = page.getByLabel('Message')
  await message.press('End')
  await page.keyboard.type('{{ op')
  await expect(page.getByRole('option', { name: /steps\.open\.url/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(message).toHaveValue('At {{ steps.open.url }}')
  await expect(page.getByText(`At ${weft.practiceUrl}/sign-in`, { exact: true })).toBeVisible()
  await expect(page.getByText('Not saved')).toBeVisible()

  const panel = page.getByRole('region', { name: 'Test run' })
  await panel.getByRole('button', { name: 'Run the workflow' }).click()
  await expect(say).toContainText('Done')
  await panel.getByRole('tab', { name: 'Log' }).click()
  await expect(panel.getByRole('log')).toContainText(`At ${weft.practiceUrl}/sign-in`)
  await panel.getByRole('tab', { name: 'History' }).click()
  await expect(panel.getByRole('listitem')).toHaveCount(2)
  await panel.getByRole('button', { name: 'Close', exact: true }).click()
})

test('a workflow’s tests: made of a run, red, mended, green, and asked for by a release', async () => {
  const { page } = at
  const { workflows } = await weft.signIn()
  const steps = sketch(
    [
      {
        id: 'end',
        type: 'finish',
        name: 'Give it',
        state: { outputs: [{ name: 'topic', value: '{{ inputs.topic }}' }] },
      },
    ],
    { inputs: [{ name: 'topic', type: 'text', required: true, label: 'Topic' }] },
  )
  const made = await workflows.create({ name: 'Tested', draft: encodeDocument(steps) })
  await workflows.update({ id: made.id, version: made.version, testsMustPass: true })
  await page.goto(`/cms/workflow/editor/${made.id}`)
  await at.button('Test').click()
  const panel = page.getByRole('region', { name: 'Test run' })
  await panel.getByLabel('Topic').fill('tea')
  await panel.getByRole('button', { name: 'Run the workflow' }).click()
  await expect(panel.getByText('What came of it')).toBeVisible()

  // What came of the run is proposed as what is expected; one more is written with the names completed.
  await panel.getByRole('tab', { name: 'Tests' }).click()
  await expect(panel.getByText('No tests yet')).toBeVisible()
  await panel.getByRole('button', { name: 'From the last run' }).click()
  const name = panel.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toBeFocused()
  await name.fill('Tea')
  await expect(panel.getByRole('combobox', { name: 'Expectation 1' })).toHaveValue('outputs.topic === "tea"')
  await panel.getByRole('button', { name: 'Add an expectation' }).click()
  const second = panel.getByRole('combobox', { name: 'Expectation 2' })
  await expect(second).toBeFocused()
  await page.keyboard.type('output')
  await expect(page.getByRole('option', { name: /outputs\.topic/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.type('.length > 2')
  await expect(panel.getByText(/Held in your last test run:\s*3/)).toBeVisible()
  await panel.getByRole('button', { name: 'Save' }).click()
  const line = panel
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: 'Tea', exact: true }) })
  await expect(line).toContainText('Never run')

  // The workflow breaks: the test says what it expected and what it found.
  const given = page.locator('input[value="{{ inputs.topic }}"]')
  await page.getByRole('treeitem', { name: /Give it/ }).click()
  await given.fill('{{ inputs.topic.toUpperCase() }}')
  await line.getByRole('button', { name: 'Run Tea' }).click()
  await expect(line).toContainText('Failed')
  await expect(line).toContainText(/Expected: "tea"\s*Found: "TEA"/)

  // It cannot be published like this, nor before its tests have passed on what it is now.
  await at.button('Publish').click()
  const dialog = at.dialog('Publish release 1')
  await expect(dialog).toContainText('0 of 1 test passed')
  await expect(dialog.getByRole('button', { name: 'Save and publish' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Look at the tests' }).click()
  await page.locator('input[value="{{ inputs.topic.toUpperCase() }}"]').fill('{{ inputs.topic }}')
  await expect(line).toContainText('Out of date')
  await at.button('Publish').click()
  await dialog.getByRole('button', { name: 'Run tests and publish' }).click()
  await expect(page.getByText('Release 1 is published')).toBeVisible()
  await expect(line).toContainText('Passed')
  await at.tab('Releases').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Release 1' })).toContainText(
    '1 of 1 test passed',
  )
})

test('the campaign runs two at a time and the page moves by itself', async () => {
  const { page } = at
  await slowDown(weft.practiceUrl, 'all', 350)
  await slowDown(weft.practiceUrl, CANCELLED, 5000)
  await page.goto('/cms/campaign/list')
  await page.getByRole('link', { name: CAMPAIGN }).click()
  await expect(at.heading(CAMPAIGN)).toBeVisible()
  await at.markLoaded()
  await at.button('Start').click()
  await expect(at.row(/harbour\d\d/)).toHaveCount(seedAccounts.length)
  const most = await mostAtOnce(page, 'Running')
  await expect(at.row('Running')).toHaveCount(2)
  // The step that a row is at, by its name in the workflow.
  await expect(at.row('Running').first()).toContainText(
    /Open the|Read the|Write the|Choose a|Add the|Post the/,
  )

  await at.tab('Live log').click()
  const log = page.getByRole('log')
  await expect(log).toContainText(/harbour\d\d.*“Post the notice” begins/)
  await at.tab('Items').click()

  await expect(at.row('harbour01')).toContainText(/Done.*number: \S+/)
  await expect.poll(() => at.count('Done')).toBeGreaterThan(0)
  await expect(at.fact('Rate')).toHaveText(/^[\d.]+ \/ min$/)
  await expect(at.fact('Time left')).toHaveText(/\d/)
  expect(await most()).toBe(2)
  await at.expectNotReloaded()
})

test('paused, it begins nothing more and says why its items wait', async () => {
  await at.button('Pause').click()
  await expect(pageState()).toContainText('Paused')
  await expect(at.row('Running')).toHaveCount(0)
  const waiting = await at.count('Waiting')
  expect(waiting).toBeGreaterThan(0)
  await expect(at.row('The campaign is paused')).toHaveCount(waiting)
  await at.expectNotReloaded()
})

test('resumed in Arabic, from right to left, it goes on as live', async () => {
  const { page } = at
  const html = page.locator('html')
  await at.button('Language').click()
  await page.getByRole('menuitem', { name: 'العربية' }).click()
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).toHaveAttribute('lang', 'ar')
  const rows = (state: string) => at.row('harbour').filter({ has: page.locator(`[data-value="${state}"]`) })
  const done = rows('done')
  const before = await done.count()
  await slowDown(weft.practiceUrl, 'all', 100)
  // To be cancelled later, before it comes to what cannot be undone: from there on its end would be uncertain.
  await slowDown(weft.practiceUrl, CANCELLED, 20_000)
  await at.button('استئناف').click()
  await expect(at.button('إيقاف مؤقت')).toBeVisible()
  await expect(rows('running')).toHaveCount(2)
  await expect.poll(() => done.count()).toBeGreaterThan(before)
  // Names of accounts and what a page gave stay readable from left to right.
  await expect(done.first().locator('bdi.ltr').first()).toHaveCSS('direction', 'ltr')
  await at.button('اللغة').click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect(html).toHaveAttribute('dir', 'ltr')
  await at.expectNotReloaded()
})

test('a running item is cancelled: its browser closes within the grace', async () => {
  const { page } = at
  const row = at.row(CANCELLED)
  await expect(row).toContainText('Running', { timeout: 60_000 })
  await at.rowAction(row, 'Cancel item')
  const asked = Date.now()
  await at.agree('Cancel item')
  await expect(row).toContainText('Cancelled', { timeout: 60_000 })
  await row.getByRole('link', { name: /^#/ }).click()
  await expect(at.heading(CANCELLED)).toBeVisible()
  const ended = await at.fact('Ended').locator('time').getAttribute('datetime')
  expect(Date.parse(ended ?? '') - asked).toBeLessThan(GRACE_MS)
  await expect(at.tab(/file/)).toBeVisible()
  await page.goBack()
})

test('the wrong account fails, is tried again as the policy says, and keeps its evidence', async () => {
  const { page } = at
  await expect(pageState()).toContainText('Finished with errors', { timeout: 90_000 })
  await expect(at.row('Done')).toHaveCount(seedAccounts.length - 2)
  await at.button(/^Failed 1$/).click()
  await expect(at.row(/harbour\d\d/)).toHaveCount(1)
  const row = at.row(WRONG)
  await expect(row).toContainText('Sign-in refused')
  await expect(row.getByRole('cell', { name: '2', exact: true })).toBeVisible()
  await at.expectNotReloaded()
  await row.getByRole('link', { name: /^#/ }).click()
  await expect(at.heading(WRONG)).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Sign-in refused · at the step “Sign in”',
  )

  // The step that failed is open from the start, with the picture of its page.
  await page.getByRole('button', { name: /^Enlarge sign_in-failed/ }).click()
  const picture = at.dialog(/sign_in-failed/).getByRole('img', { name: /^sign_in-failed/ })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate(widthOf)).toBeGreaterThan(1000)
  await page.keyboard.press('Escape')

  await at.tab(/file/).click()
  const trace = await at.saved(() => at.button('Download trace.zip').click())
  expect(trace.name).toBe('trace.zip')
  const entries = await readZip(trace.path)
  expect([...entries.keys()]).toContain('trace.trace')
  for (const [name, bytes] of entries)
    for (const { password } of seedAccounts)
      expect(bytes.includes(password), `${password} in ${name}`).toBe(false)

  await at.tab(/other attempt/).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Attempt 1' })).toContainText('Failed')
})

test('with its password corrected, the failed item is tried again and gets done', async () => {
  const { page } = at
  await at.go('Resource', 'Accounts')
  await page.getByRole('searchbox', { name: 'Search' }).fill(WRONG)
  await expect(at.row(/harbour\d\d/)).toHaveCount(1)
  await at.row(WRONG).getByRole('link', { name: WRONG }).click()
  const form = at.dialog(WRONG)
  const password = form.getByLabel('Password', { exact: true })
  await expect(password).toHaveValue('')
  await password.fill(rightPassword(WRONG))
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Update successfully')).toBeVisible()

  await at.go('Campaigns', 'Campaign List')
  await page.getByRole('link', { name: CAMPAIGN }).click()
  await at.rowAction(at.row(WRONG), 'Try again')
  await at
    .dialog(/^Try .* again$/)
    .getByRole('button', { name: 'Try again' })
    .click()
  await expect(at.row(WRONG)).toContainText(/Done.*number: \S+/, { timeout: 60_000 })
  await expect(pageState()).toContainText('Finished')
  await expect(at.row('Done')).toHaveCount(seedAccounts.length - 1)
})

test('the run tells each step with input, output and time; values, log and pictures', async () => {
  const { page } = at
  await at.row(WRONG).getByRole('link', { name: /^#/ }).click()
  await expect(at.tab('12 steps')).toBeVisible()
  const step = (name: string) => page.getByRole('button', { name: new RegExp(`Succeeded ${name} `) })
  await expect(step('Post the notice')).toContainText('Irreversible, confirmed')
  await expect(step('Sign in')).toContainText(/\d\s?m?s$/)
  await step('Sign in').click()
  await expect(page.getByText('Input', { exact: true })).toBeVisible()
  await expect(page.getByText(`${weft.practiceUrl}/sign-in`)).toBeVisible()
  await step('Read the list').click()
  await expect(page.getByText('Output', { exact: true }).first()).toBeVisible()
  await step('Keep a picture of the notice').click()
  await expect
    .poll(() => page.locator('button:has-text("notice") img').first().evaluate(widthOf))
    .toBeGreaterThan(0)
  await expect(page.locator('main')).not.toContainText(rightPassword(WRONG))

  await at.tab('Log').click()
  await expect(page.getByRole('log')).toContainText('“Post the notice” begins')
  await at.tab('Extracted values').click()
  await expect(at.value('number')).toHaveText(/^\S+$/)
})

test('the results are exported as CSV: a row per item, its values, and no secret', async () => {
  const { page } = at
  await page.getByRole('link', { name: CAMPAIGN }).click()
  await at.button('Export results').click()
  const file = await at.saved(() => page.getByRole('menuitem', { name: 'CSV', exact: true }).click())
  expect(file.name).toBe('first-notices-results.csv')
  const text = file.bytes.toString('utf8')
  const rows = parseCsv(text)
  expect(rows.map(({ account }) => account)).toEqual(seedAccounts.map(({ username }) => username))
  for (const { account = '', state = '', number = '' } of rows) {
    const shown = at.row(account)
    await expect(shown.locator('[data-value]').first()).toHaveAttribute('data-value', state)
    if (state === 'done') await expect(shown).toContainText(`number: ${number}`)
    else expect([account, number]).toEqual([CANCELLED, ''])
  }
  expect(new Set(rows.filter(({ state }) => state === 'done').map(({ number }) => number)).size).toBe(11)
  for (const { password } of seedAccounts) expect(text).not.toContain(password)
})

test('another machine joins with the line that the console shows, and is there at once', async () => {
  await at.go('Resource', 'Clients')
  await expect(at.row('This machine')).toBeVisible()
  await at.button('Add client').click()
  const adding = at.dialog('Add client')
  await adding.getByRole('button', { name: 'Make a join code' }).click()
  const command = await adding.getByText(/^npm run agent /).innerText()
  expect(command).toContain(weft.url)
  machine = new Machine(command, { name: SECOND, slots: 1 })
  await expect(adding.getByText(`${SECOND} has joined`)).toBeVisible({ timeout: 60_000 })
  await adding.getByRole('button', { name: 'Close' }).last().click()
  await expect(at.row(SECOND)).toContainText('Online')
  await expect(at.row(SECOND)).toContainText('Idle')
})

test('it works on a copy of the campaign that only it is attached to', async () => {
  const { page } = at
  await slowDown(weft.practiceUrl, 'all', 1000)
  await slowDown(weft.practiceUrl, CANCELLED, 0)
  await at.go('Campaigns', 'Campaign List')
  await at.rowAction(at.row(CAMPAIGN), 'Make a copy')
  await expect(page.getByText('items would be made')).toBeVisible()
  await at.attach('This machine', 'Detach')
  await at.attach(SECOND, 'Attach')
  await expect(page.getByText('1 of 1 clients online, 1 slots')).toBeVisible()
  await at.button('Start').click()
  await expect(at.row('Running')).toContainText(SECOND)
  await expect(at.row('All slots of its clients are busy').or(at.row('Next in line')).first()).toBeVisible()
})

test('drained, it finishes what it does and takes no more; enabled, it goes on', async () => {
  const { page } = at
  const campaign = page.url()
  await expect(at.row('Running')).toHaveCount(1)
  await at.go('Resource', 'Clients')
  await at.rowAction(at.row(SECOND), 'Drain')
  await expect(at.row(SECOND)).toContainText('Draining')
  // It finishes its run first, which takes as long as it takes.
  await expect(at.row(SECOND)).toContainText('Idle', { timeout: 90_000 })
  await page.goto(campaign)
  await expect(at.row('The clients online take no work now').first()).toBeVisible()
  await expect(at.row('Running')).toHaveCount(0)
  expect(await at.count('Done')).toBeGreaterThan(0)
  expect(await at.count('Failed')).toBe(0)
  expect(await at.count('Cancelled')).toBe(0)
  await at.go('Resource', 'Clients')
  await at.rowAction(at.row(SECOND), 'Enable')
  await page.goto(campaign)
  await expect(at.row('Running')).toContainText(SECOND)
})

test('asked to stop by its system, it finishes what it does and goes; its items wait and say for what', async () => {
  await expect(at.row('Running')).toHaveCount(1)
  const doing = await at
    .row('Running')
    .getByRole('link', { name: /^harbour/ })
    .innerText()
  expect(await machine?.stop()).toBe(0)
  await expect(at.row(doing)).toContainText(/Done.*number: \S+/)
  await expect(at.row('Running')).toHaveCount(0)
  await expect(at.row('None of the campaign’s clients is online').first()).toBeVisible({ timeout: 60_000 })
  await at.button('Cancel campaign').click()
  await at.agree('Cancel campaign')
  await expect(pageState()).toContainText('Cancelled')
  await at.go('Resource', 'Clients')
  await expect(at.row(SECOND)).toContainText('Offline')
})

test('signed out, a page asks to sign in and comes back to where one was', async () => {
  const { page } = at
  await at.button('Your account').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.goto('/cms/resource/accounts?q=harbour0')
  await page.waitForURL(/\/login\?nextUrl=/)
  expect(new URL(page.url()).searchParams.get('nextUrl')).toBe('/cms/resource/accounts?q=harbour0')
  await page.getByLabel('Username or e-mail').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await at.button('Sign in').click()
  await expect(page.getByRole('alert')).toContainText('these are not your correct details')
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await at.button('Sign in').click()
  await page.waitForURL('**/cms/resource/accounts?q=harbour0')
  await expect(at.row(/harbour0\d/)).toHaveCount(9)
})

/** Where a page says in what state its record is. */
function pageState(): Locator {
  return at.page.locator('header').filter({ has: at.page.getByRole('heading', { level: 1 }) })
}

function widthOf(image: Element): number {
  return image instanceof HTMLImageElement ? image.naturalWidth : 0
}

function rightPassword(username: string): string {
  return seedAccounts.find((account) => account.username === username)?.password ?? ''
}

/** Notes how many rows of the open table hold a word at the same time, from now on; tells the most there were. */
async function mostAtOnce(page: Page, word: string): Promise<() => Promise<number>> {
  await page.evaluate((wanted) => {
    const { body } = document
    const look = () => {
      const rows = [...document.querySelectorAll('tbody tr')]
      const now = rows.filter((row) => row.textContent?.includes(wanted)).length
      body.dataset['most'] = String(Math.max(Number(body.dataset['most'] ?? 0), now))
    }
    look()
    new MutationObserver(look).observe(body, { childList: true, subtree: true, characterData: true })
  }, word)
  return () => page.evaluate(() => Number(document.body.dataset['most']))
}
