import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { system } from '@weft/contract/system/api'
import type { TestServer } from '../apps/server/src/testing/server.ts'
import { axeProblems, settled } from './support/inspect.ts'
import { serverWithConsole, signInAs } from './support/people.ts'

/** What administrators set: settings, maintenance, the menu; and the log of it all. */

test.use({ actionTimeout: 30_000, viewport: { width: 1440, height: 900 } })

let server: TestServer

test.beforeAll(async () => {
  server = await serverWithConsole()
  for (const role of ['administrator', 'operator'] as const) await server.as(role)
})
test.afterAll(() => server.stop())

const at = (path: string) => server.url + path

async function pageOf(browser: Browser, name: string, path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signInAs(page, server.url, name)
  await page.goto(at(path))
  await settled(page)
  return page
}
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const entriesOf = async (page: Page) =>
  (await menuOf(page).locator(':scope > *').allInnerTexts()).map((words) => words.trim())

test('a setting holds at once in another tab, and is set back', async ({ browser }) => {
  const admin = await pageOf(browser, 'administrator', '/cms/config')
  const other = await pageOf(browser, 'operator', '/cms/project/list')
  // The group leads to its first page; System Config is one further.
  await admin.goto(at('/cms/config/system'))
  await admin.getByRole('searchbox', { name: 'Search settings' }).fill('site name')
  await expect(admin.getByLabel('Default language')).toHaveCount(0)
  const name = admin.getByLabel('Site name', { exact: true })
  await name.fill('')
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.fill('Loom')
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other).toHaveTitle('[Loom] - Projects')
  await expect(admin.getByText('Changed by administrator')).toBeVisible()
  await admin.getByRole('button', { name: 'Set Site name back to its default' }).click()
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other).toHaveTitle('[WEFT] - Projects')
  for (const page of [admin, other]) await page.context().close()
})

test('a planned maintenance counts down in every tab, closes it, and gives it back', async ({ browser }) => {
  const admin = await pageOf(browser, 'administrator', '/system?tab=maintenance')
  const other = await pageOf(browser, 'operator', '/cms/project/list?q=x')
  await admin.getByText('At a time', { exact: true }).click()
  await admin.getByLabel('Note').fill('New disks')
  await admin.getByRole('button', { name: 'Plan it' }).click()
  await expect(admin.getByText('Maintenance is planned')).toBeVisible()
  await expect(other.getByText(/Maintenance begins: .*Save your work\./).first()).toBeAttached()
  await expect(other.getByText('New disks').first()).toBeVisible()
  // Half an hour is the least that the form proposes; the call takes seconds.
  const soon = new Date(Date.now() + 2_500).toISOString()
  const administrator = await server.as('administrator')
  await administrator.api(system).beginMaintenance({ status: 3, at: soon, note: 'New disks' })
  await expect(other).toHaveURL(at('/under-maintenance'))
  await expect(other.getByRole('heading', { name: "We'll be back soon!" })).toBeVisible()
  await expect(other.getByText('New disks')).toBeVisible()
  // Whoever may change it sees System Config all the while.
  await expect(admin).toHaveURL(/\/system/)
  await admin.getByRole('button', { name: 'End it now' }).click()
  await expect(other).toHaveURL(at('/cms/project/list?q=x'))
  for (const page of [admin, other]) await page.context().close()
})

test('the menu is arranged from the keyboard and by dragging, and brought back', async ({ browser }) => {
  const admin = await pageOf(browser, 'administrator', '/cms/config/route')
  // As high as the whole menu, so that a hand reaches every line of it.
  await admin.setViewportSize({ width: 1440, height: 1500 })
  const other = await pageOf(browser, 'operator', '/dashboard')
  const handle = (name: string) => admin.getByRole('button', { name: `Move ${name}`, exact: true })
  const preview = admin.getByRole('navigation', { name: 'Preview' })
  const save = () => admin.getByRole('button', { name: 'Save', exact: true }).click()
  expect((await entriesOf(other))[0]).toBe('Dashboard')
  expect(await axeProblems(admin)).toEqual([])

  // By the keyboard: the dashboard down by one, and with that every open console.
  await handle('Dashboard').focus()
  await admin.keyboard.press('Alt+ArrowDown')
  await expect(admin.getByText('Dashboard: place 2 of 6')).toBeAttached()
  await expect(handle('Dashboard')).toBeFocused()
  await expect(preview.getByRole('listitem').first()).toContainText('Campaigns')
  await save()
  await expect.poll(async () => (await entriesOf(other))[1]).toBe('Dashboard')

  // By dragging: a page into a group of one's own, which then is theirs as far as they may.
  await admin.getByRole('button', { name: 'Add a group' }).click()
  const drawer = admin.getByRole('dialog')
  await drawer.getByLabel('Title in English').fill('Build')
  await drawer.getByLabel('Title in Français').fill('Construire')
  await drawer.getByRole('button', { name: 'Done' }).click()
  await drag(admin, handle('Workflows'), admin.locator('li[data-row]').filter({ hasText: 'Build' }))
  await expect(admin.getByText(/^Workflows: place 1 of 1 in Build$/)).toBeAttached()
  await save()
  await expect.poll(async () => (await entriesOf(other)).at(-1)).toBe('Build')
  await menuOf(other).getByText('Build').click()
  await expect(other).toHaveURL(at('/cms/workflow/list'))

  // As a role, and what cannot be.
  await expect(admin.getByRole('button', { name: 'Hide System Config' })).toHaveCount(0)
  await admin.getByRole('combobox', { name: 'As the role' }).click()
  await admin.getByRole('option', { name: 'Administrator' }).click()
  await expect(preview.getByText('System Config')).toBeVisible()
  await admin.getByRole('button', { name: 'Add a link' }).click()
  await drawer.getByRole('textbox', { name: 'Address' }).fill('http://example.org')
  await drawer.getByRole('button', { name: 'Done' }).click()
  await save()
  await expect(admin.getByRole('alert')).toContainText('A link must begin with https://.')
  await admin.getByRole('button', { name: 'Discard' }).click()

  // Versions say what they changed, and come back.
  await expect(admin.getByText('1 added · 1 moved')).toBeVisible()
  await admin.getByRole('button', { name: 'Bring back version 1' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Bring back' }).click()
  await expect.poll(async () => (await entriesOf(other)).includes('Build')).toBe(false)
  await admin.getByRole('button', { name: 'Back to shipped' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Bring back' }).click()
  await expect.poll(async () => (await entriesOf(other))[0]).toBe('Dashboard')
  for (const page of [admin, other]) await page.context().close()
})

test('the audit log tells all of it, with what was before and after', async ({ browser }) => {
  const administrator = await server.as('administrator')
  const { data } = await administrator.api(system).settings({})
  const version = data.find(({ key }) => key === 'siteName')?.version ?? 0
  await administrator.api(system).saveSettings({ changes: [{ key: 'siteName', value: 'Shuttle', version }] })
  const admin = await pageOf(browser, 'administrator', '/cms/config/audit')
  await admin.getByRole('button', { name: 'Settings: changed' }).first().click()
  const drawer = admin.getByRole('dialog')
  const row = drawer.getByRole('row').filter({ hasText: 'Site name' })
  await expect(row).toContainText('WEFT')
  await expect(row).toContainText('Shuttle')
  await drawer.getByRole('button', { name: 'Only this person' }).click()
  await expect(admin).toHaveURL(/actor=/)
  await expect(admin.getByRole('button', { name: 'Settings: changed' }).first()).toBeVisible()
  expect(await axeProblems(admin)).toEqual([])
  await admin.context().close()
})

/** Drags by the pointer, with the moves in between that a hand makes. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover()
  await page.mouse.down()
  // The list may still be moving while it makes room; a hand would follow it too.
  await expect(async () => {
    const end = await to.boundingBox()
    if (!end) throw new Error('there is nothing to drag to')
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2 - 20, { steps: 4 })
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2 + 4, { steps: 3 })
    await expect(to).toHaveAttribute('data-drop', 'inside', { timeout: 1000 })
  }).toPass({ timeout: 60_000 })
  await page.mouse.up()
}
