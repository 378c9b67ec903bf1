import { expect, test, type Page } from '@playwright/test'
import { projects } from '@weft/contract/projects/api'
import { proxies } from '@weft/contract/proxies/api'
import { roles } from '@weft/contract/roles/api'
import { users } from '@weft/contract/users/api'
import { workflows } from '@weft/contract/workflows/api'
import { copyActivities } from '@weft/workflow/operations'
import { sketch } from '@weft/workflow/testing/builder'
import { TEST_PASSWORD, type TestPerson } from '../apps/server/src/testing/people.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { startTestServer, type TestServer } from '../apps/server/src/testing/server.ts'
import { Console } from './support/console.ts'
import { Keyboard } from './support/keyboard.ts'

/** How soon a change of rights holds in a page that is open: five seconds, and as much again for a busy machine. */
const SOON = { timeout: 10_000 }

let server: TestServer
let admin: TestPerson
let url: string

test.use({ locale: 'en-US', reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })

test.beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  server = await startTestServer({ port, settings: { publicUrl: url } })
  admin = await server.as('administrator', 'ada')
})
test.afterAll(() => server.stop())
test.beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

async function signIn(page: Page, name: string, password = TEST_PASSWORD): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Username or e-mail').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
}

/** The page hears of changes as they happen; after its rights changed it is back within seconds. */
async function isLive(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Live connection: Live' })).toBeVisible()
}

/** Gives somebody these roles, as an administrator elsewhere would. */
async function give(id: string, keys: string[]): Promise<void> {
  const { version } = await admin.api(users).get({ id })
  await admin.api(users).update({ id, version, roles: keys })
}

test('somebody is invited, comes in by the link, and sees what their role allows', async ({
  page,
  browser,
}) => {
  await signIn(page, 'ada')
  await page.goto(`${url}/cms/user`)
  await expect(page).toHaveTitle('[WEFT] - User List')
  await page.getByRole('link', { name: 'Invite user' }).click()
  const drawer = page.getByRole('dialog', { name: 'Invite a user' })
  await drawer.getByLabel('Username').fill('ivy')
  await drawer.getByRole('combobox', { name: 'Roles' }).press('ArrowDown')
  await page.getByRole('option', { name: 'Viewer' }).click()
  await page.keyboard.press('Escape')
  await drawer.getByRole('button', { name: 'Invite', exact: true }).click()
  const made = page.getByRole('dialog', { name: 'ivy is invited' })
  const link = /http\S+#token=[\w-]+/.exec(await made.innerText())?.[0] ?? ''
  await made.getByRole('button', { name: 'Done' }).click()
  await expect(new Console(page).row('ivy')).toContainText('Invited')
  expect(await page.content()).not.toContain(link.split('#token=')[1])

  const context = await browser.newContext({ locale: 'en-US' })
  const theirs = await context.newPage()
  await theirs.goto(link)
  await theirs.getByLabel('New Password').fill('a password of her own')
  await theirs.getByLabel('Confirm Password').fill('a password of her own')
  await theirs.getByRole('button', { name: 'Set new password' }).click()
  await signIn(theirs, 'ivy', 'a password of her own')
  const menu = theirs.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('button', { name: 'Resource' })).toBeVisible()
  await expect(menu.getByText('User Management')).toBeHidden()
  await theirs.goto(`${url}/cms/user/list`)
  await expect(theirs).toHaveTitle('[WEFT] - No access')
  await context.close()
})

test('new rights hold in an open page within seconds, and the suspended are thrown out', async ({
  page,
  browser,
}) => {
  const olaf = await server.as('viewer', 'olaf')
  await signIn(page, 'olaf')
  await page.goto(`${url}/cms/project/list`)
  const console = new Console(page)
  await expect(console.heading('Projects')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create project' })).toHaveCount(0)
  // What one may only look at can be changed by none of its parts, and brings no draft back.
  const proxy = await admin
    .api(proxies)
    .create({ protocol: 'http', host: '198.51.100.9', port: 8080, username: 'ann', password: 'hunter22' })
  await page.evaluate(([key, draft]) => localStorage.setItem(key, draft), [
    `Form::Draft::${olaf.id}::proxies::${proxy.id}`,
    JSON.stringify({ values: { city: 'Typed once' }, version: 1, at: Date.now() }),
  ] as const)
  await page.goto(`${url}/cms/resource/proxies/${proxy.id}`)
  const form = page.getByRole('dialog')
  await expect(form.getByText('You can look at this')).toBeVisible()
  await expect(form.getByLabel('City', { exact: true })).toHaveValue('')
  await expect(form.getByRole('button', { name: 'Test' })).toHaveCount(0)
  for (const control of await form.locator('form').locator('input, textarea, button').all())
    await expect(control).toBeDisabled()
  await page.goto(`${url}/cms/resource/proxies/new`)
  await expect(form.getByRole('heading', { name: 'You may not make this' })).toBeVisible()

  await page.goto(`${url}/cms/project/list`)
  await isLive(page)
  await console.markLoaded()

  await give(olaf.id, ['operator'])
  await expect(page.getByRole('link', { name: 'Create project' }).first()).toBeVisible(SOON)
  await console.expectNotReloaded()
  await isLive(page)

  // A role that changes changes all who have it: here the menu loses what it no longer allows.
  const { id, key } = await admin.api(roles).create({
    name: 'Clerks',
    rules: [{ action: 'VIEW', subject: ['PROJECT', 'ACCOUNT', 'REPORT'] }],
  })
  await give(olaf.id, [key])
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(page.getByRole('link', { name: 'Create project' })).toHaveCount(0, SOON)
  await expect(menu.getByText('Campaigns')).toBeHidden(SOON)
  await expect(menu.getByText('Resource')).toBeVisible()
  await isLive(page)
  await admin.api(roles).update({ id, version: 1, rules: [{ action: 'VIEW', subject: 'PROJECT' }] })
  await expect(menu.getByText('Resource')).toBeHidden(SOON)
  await console.expectNotReloaded()

  const other = await browser.newPage({ locale: 'en-US' })
  await signIn(other, 'ada')
  await other.goto(`${url}/cms/user/info/${olaf.id}`)
  await expect(new Console(other).heading('olaf')).toBeVisible()
  await new Console(other).pageAction('Suspend')
  await new Console(other).agree('Suspend')
  await expect(page).toHaveURL(/\/auth\/login/, SOON)
  await expect(other.getByText('Suspended').first()).toBeVisible()
  await other.close()
})

test('a role is made and changed by keys alone, with a look at who gains and loses what', async ({
  page,
}) => {
  const keys = new Keyboard(page)
  await signIn(page, 'ada')
  await page.goto(`${url}/cms/config/permission`)
  await expect(page).toHaveTitle('[WEFT] - Permission')
  await page.getByRole('button', { name: 'New role' }).waitFor()
  await keys.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await keys.to(page.getByRole('button', { name: 'New role' }))
  await page.keyboard.press('Enter')
  await keys.write(page.getByRole('textbox', { name: 'Name' }), 'Night shift')
  const cell = (name: string) => page.getByRole('gridcell', { name })
  await keys.to(cell('Campaigns, View: No'))
  await keys.press('Space')
  await expect(cell('Campaigns, View: All records')).toBeFocused()
  await keys.press('ArrowDown', 'ArrowDown', 'Space', 'Space')
  await expect(cell('Projects, View: Own records')).toBeFocused()
  // Where a function has no such action there is no cell to stop at.
  await keys.press('Control+Home', 'End')
  await expect(cell('Campaigns, Run: No')).toBeFocused()
  const focused = page.locator('td:focus')
  await keys.press('ArrowDown')
  await expect(focused).toHaveAccessibleName(/^(?!Campaigns|Projects).*, Run: No$/)
  await keys.press('PageDown', 'ArrowDown', 'ArrowDown')
  await expect(focused).toHaveAccessibleName(/, Run: No$/)
  await keys.press('Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter')
  const drawer = page.getByRole('dialog', { name: 'Projects: Create' })
  await keys.to(drawer.getByRole('button', { name: 'Add another way' }))
  await page.keyboard.press('Enter')
  await keys.to(drawer.getByRole('button', { name: 'Own records only' }))
  await page.keyboard.press('Enter')
  await keys.to(drawer.getByRole('button', { name: 'Apply' }))
  await page.keyboard.press('Enter')
  await expect(cell('Projects, Create: Own records')).toBeVisible()
  await keys.to(page.getByRole('button', { name: 'Create role' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: /Night shift/ })).toHaveAttribute('aria-current', 'page')

  const nora = await server.as('viewer', 'nora')
  await give(nora.id, ['night-shift'])
  await nora.api(projects).create({ name: 'hers' })
  await page.reload()
  await cell('Projects, Create: Own records').click()
  await expect(cell('Projects, Create: No (changed)')).toBeVisible()
  await cell('Accounts, View: No').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const preview = page.getByRole('dialog', { name: 'What changes for whom' })
  await expect(preview.getByRole('listitem').filter({ hasText: 'nora' })).toHaveText(
    /Gains Accounts: View.*Loses Projects: Create/,
  )
  expect((await nora.api(projects).create({ name: 'still hers' })).name).toBe('still hers')
  await preview.getByRole('button', { name: 'Save' }).click()
  await expect(cell('Accounts, View: All records')).toBeVisible()
  await expect(preview).toBeHidden()
  await expect(nora.api(projects).create({ name: 'no more' })).rejects.toMatchObject({
    code: 'access.denied',
  })

  await page.getByRole('tab', { name: 'Explain' }).click()
  await page.getByLabel('Person').click()
  await page.getByRole('option', { name: /nora/ }).click()
  await page.getByRole('combobox', { name: 'Function' }).click()
  await page.getByRole('option', { name: 'Projects' }).click()
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Create' }).click()
  await expect(page.getByText('No role of this person allows it.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'View' }).click()
  await expect(page.getByText('The role Night shift allows it.')).toBeVisible()
  await expect(page.getByText('Allowed in part')).toBeVisible()
})

test('who owns something is deleted only with a successor', async ({ page }) => {
  const [pia, quin] = [await server.as('operator', 'pia'), await server.as('operator', 'quin')]
  await pia.api(projects).create({ name: 'of pia' })
  await signIn(page, 'ada')
  await page.goto(`${url}/cms/user/list?q=pia`)
  const console = new Console(page)
  await console.rowAction(console.row('pia'), 'Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete pia' })
  await expect(dialog.getByRole('listitem')).toHaveText('Projects1')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose who takes it over.')
  await dialog.getByLabel('Goes to').click()
  await page.getByRole('option', { name: 'quin' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('pia was deleted · 1 record was transferred')).toBeVisible()
  expect((await quin.api(projects).list({})).data.map(({ name }) => name)).toEqual(['of pia'])
})

test('a project has a variable, a secret and a member, and is frozen and opened again', async ({ page }) => {
  const at = new Console(page)
  await server.as('viewer', 'mia')
  await signIn(page, 'ada')
  await page.goto(`${url}/cms/project/list`)
  await page.getByRole('link', { name: 'Create project' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Harbour office')
  await page.keyboard.press('Enter')
  await at.row('Harbour office').getByRole('link', { name: 'Harbour office' }).click()
  await expect(at.heading('Harbour office')).toBeVisible()

  await at.tab('Variables').click()
  await at.button('Add variable').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('site')
  await dialog.getByLabel('Value').fill('https://harbour.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(at.row('project.site')).toContainText('https://harbour.example')

  // A secret is written and never read.
  await at.tab('Secrets').click()
  await at.button('Add secret').click()
  await dialog.getByLabel('Name').fill('KEY')
  await dialog.getByLabel('Value').fill('hunter22-harbour')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(at.row('secrets.KEY')).toBeVisible()
  expect(await page.content()).not.toContain('hunter22-harbour')

  await at.tab('Members').click()
  await at.button('Add member').click()
  await dialog.getByLabel('Username').fill('mia')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(at.row('mia')).toContainText('Viewer')

  await at.pageAction('Freeze')
  await expect(page.getByText('This project is frozen')).toBeVisible()
  await expect(at.button('Add member')).toBeHidden()
  await at.button('Activate').click()
  await expect(page.getByText('This project is frozen')).toBeHidden()
  await expect(at.button('Add member')).toBeVisible()
})

test('steps become an activity with a parameter, which is published, used, missed and switched off', async ({
  page,
}) => {
  const at = new Console(page)
  await signIn(page, 'ada')
  await page.goto(`${url}/cms/config/activity/new`)
  const steps = sketch([
    { id: 'say', type: 'log', name: 'Say it', state: { message: 'Good day, {{ inputs.who }}' } },
  ])
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Greet somebody')
  await drawer.getByLabel('Begin with copied steps').fill(JSON.stringify(copyActivities(steps, ['say'])))
  await expect(drawer.getByText('1 step. Parameters: who.')).toBeVisible()
  await drawer.getByLabel('Name').press('Enter')
  await expect(page.getByRole('treeitem', { name: /Say it/ })).toBeVisible()
  await at.button('Publish').click()
  await at.dialog('Publish release 1').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Release 1 is published')).toBeVisible()

  // Placed by its name, it asks for its parameter: in the list of problems, which leads to the field.
  const { id } = await admin.api(workflows).create({ name: 'Greets' })
  await page.goto(`${url}/cms/workflow/editor/${id}`)
  await at.button('Add the first step').click()
  await page.getByRole('textbox', { name: 'Search activities' }).fill('Greet some')
  await page.getByRole('option', { name: /Greet somebody/ }).click()
  await page.getByRole('button', { name: '1 problem' }).click()
  await page.getByRole('button', { name: /The activity needs the parameter who/ }).click()
  const who = page.getByRole('combobox', { name: /^who/ })
  await expect(who).toBeFocused()
  await page.keyboard.type('Ann')
  await expect(page.getByText('No problems')).toBeVisible()
  await at.button('Save').click()
  await expect(page.getByText('Not saved')).toBeHidden()

  await page.goto(`${url}/cms/config/activity?q=Greet`)
  await at.rowAction(at.row('Greet somebody'), 'Switch off')
  await at.agree('Switch off')
  await expect(at.row('Greet somebody')).toContainText('Off')
  await page.goto(`${url}/cms/workflow/editor/${id}`)
  await page.getByRole('button', { name: '1 problem' }).click()
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('switched off')
})
