import { expect, test, type Page } from '@playwright/test'
import { accounts } from '@weft/contract/accounts/api'
import { preferences } from '@weft/contract/preferences/api'
import { profiles } from '@weft/contract/profiles/api'
import { projects } from '@weft/contract/projects/api'
import { proxies } from '@weft/contract/proxies/api'
import type { TestPerson } from '../apps/server/src/testing/people.ts'
import type { TestServer } from '../apps/server/src/testing/server.ts'
import { axeProblems } from './support/inspect.ts'
import { enterAs, serverWithConsole } from './support/people.ts'

/** A list as its operators use it: views, columns, many rows at once, editing in place, history, trash, others' changes. */

test.use({ actionTimeout: 30_000, trace: 'off' })

let server: TestServer
let ann: TestPerson
const LIST = '/cms/resource/accounts'

test.beforeAll(async () => {
  server = await serverWithConsole()
  ann = await server.as('operator', 'ann')
  const api = ann.api(accounts)
  for (let n = 100; n < 160; n += 1)
    await api.create({ type: n % 2 ? 'x' : 'website', username: `user${n}`, channelName: `Channel ${n}` })
})
test.afterAll(() => server.stop())
test.beforeEach(async ({ page }) => {
  await enterAs(page, server, 'ann')
  // Whatever view an earlier test has made the one to begin with.
  await page.goto(`${server.url}${LIST}?view=none`)
  await expect(row(page, 'user159')).toBeVisible()
})

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const cell = (page: Page, name: string, column: string) =>
  row(page, name).locator(`td[data-column="${column}"]`)
const menu = async (page: Page, name: string, entry: string) => {
  await button(page, `Actions for ${name}`).click()
  // It is within the page's content, where those find it who go by landmarks.
  await page.getByRole('main').getByRole('menuitem', { name: entry, exact: true }).click()
}

async function find(username: string) {
  const { data } = await ann.api(accounts).list({ q: username })
  const found = data[0]
  if (!found) throw new Error(`${username} is not there`)
  return found
}

test('a view brings search, filters and sort back, says when it was changed, and opens the list by default', async ({
  page,
}) => {
  await page.getByRole('search').getByRole('button', { name: 'Type' }).click()
  await page.getByRole('checkbox', { name: 'Website' }).click()
  await page.keyboard.press('Escape')
  await expect(row(page, 'user159')).toBeHidden()
  await button(page, 'Views').click()
  await button(page, 'Save as a view').click()
  await page.getByLabel('Name of the view').fill('Only websites')
  await button(page, 'Save').click()
  await expect(button(page, /^Only websites/).first()).toBeVisible()
  expect(await axeProblems(page)).toEqual([])
  await button(page, 'Change Only websites').click()
  await button(page, 'Open the list with it').click()
  await expect(button(page, 'Do not open the list with it')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('user15')
  await expect(button(page, /^Only websites.*Changed/)).toBeVisible()
  // Opened anew from nowhere, it is there at once, in the address too.
  await page.goto(server.url + LIST)
  await expect(page).toHaveURL(/accountType=website.*view=/)
  await expect(row(page, 'user158')).toBeVisible()
  await expect(row(page, 'user159')).toBeHidden()
  await button(page, /^Only websites/).click()
  await button(page, 'All, without a view').click()
  await expect(row(page, 'user159')).toBeVisible()
})

test('who uses a pointer finds the focus nowhere else than where they put it', async ({ page }) => {
  await page.getByRole('checkbox', { name: 'Select user159' }).check()
  await button(page, 'Clear selection').click()
  await expect(button(page, 'Clear selection')).toBeHidden()
  const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
  // By the pointer alone: long enough for the focus to have gone elsewhere.
  await page.waitForTimeout(500)
  expect(await focused()).toMatch(/^<body/)
})

test('columns are arranged by keys and kept for the person', async ({ page }) => {
  await page.goto(`${server.url}${LIST}?view=none`)
  await button(page, 'Columns').click()
  await page.getByRole('checkbox', { name: 'Tags' }).check()
  await button(page, 'Move E-mail').press('Home')
  await button(page, 'Keep Status in sight').click()
  await page.keyboard.press('Escape')
  await page.getByRole('separator', { name: 'Width of Type' }).press('ArrowRight')
  const heads = page.getByRole('columnheader')
  await expect(heads.nth(1)).toHaveText(/^Status/)
  await expect(heads.nth(2)).toHaveText(/^E-mail/)
  await expect(page.getByRole('columnheader', { name: /^Tags/ })).toBeVisible()
  await expect
    .poll(async () => (await ann.api(preferences).arrangements({}))['accounts.list'])
    .toMatchObject({ pinned: ['status'], shown: { tags: true } })
  await page.reload()
  await expect(heads.nth(1)).toHaveText(/^Status/)
})

test('many rows are changed at once after a preview, and changed back', async ({ page }) => {
  await page.goto(`${server.url}${LIST}?view=none`)
  await page.getByRole('checkbox', { name: 'Select user159' }).check()
  await page.getByRole('checkbox', { name: 'Select user158' }).check()
  await button(page, 'Set a field').click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'New value' }).click()
  await page.getByRole('option', { name: 'Paused' }).click()
  await expect(page.getByText('2 of 2 would change.')).toBeVisible()
  expect(await axeProblems(page)).toEqual([])
  await button(page, 'Set it for 2').click()
  await expect(row(page, 'user158')).toContainText('Paused')
  await button(page, 'Undo').click()
  await expect(row(page, 'user158')).not.toContainText('Paused')
  expect((await find('user159')).status).toBe('new')
  // The tags that there are are offered where one filters by them.
  const { id, version } = await find('user154')
  await ann.api(accounts).update({ id, version, tags: ['north'] })
  await button(page, 'Filters').click()
  await page.getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'north' }).click()
  await expect(row(page, 'user159')).toBeHidden()
  await expect(row(page, 'user154')).toBeVisible()
})

test('a cell is edited in place; who was faster is shown beside, and nothing is lost', async ({ page }) => {
  await page.goto(`${server.url}${LIST}?view=none`)
  await cell(page, 'user157', 'channelName').dblclick()
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Channel Name' })
  await field.fill('Mine')
  const { id, version } = await find('user157')
  await ann.api(accounts).update({ id, version, channelName: 'Theirs' })
  await field.press('Enter')
  const conflict = page.getByRole('alert').filter({ hasText: 'Theirs' })
  await expect(conflict).toContainText('Mine')
  await button(page, 'Save mine').click()
  await expect(cell(page, 'user157', 'channelName')).toHaveText('Mine')
  // A click elsewhere keeps what was typed.
  await cell(page, 'user157', 'channelName').dblclick()
  await field.fill('Kept')
  await page.getByRole('heading', { level: 1 }).click()
  await expect(cell(page, 'user157', 'channelName')).toHaveText('Kept')
  // What a field offers is chosen with the mouse too, and the editor stays meanwhile.
  await cell(page, 'user157', 'status').dblclick()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Paused' }).click()
  await button(page, 'Save').click()
  await expect(cell(page, 'user157', 'status')).toHaveText(/Paused/)
  await button(page, 'Columns').click()
  await page.getByRole('checkbox', { name: 'Tags' }).check()
  await page.keyboard.press('Escape')
  const labelled = await find('user154')
  await ann.api(accounts).update({ id: labelled.id, version: labelled.version, tags: ['north'] })
  await cell(page, 'user157', 'tags').dblclick()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'north' }).click()
  await expect(page.getByRole('dialog')).toContainText('north')
  await button(page, 'Save').click()
  await expect(cell(page, 'user157', 'tags')).toHaveText('north')
  // By keys alone, and given back.
  await row(page, 'user156').getByRole('link').focus()
  await page.keyboard.press('j')
  await expect(row(page, 'user155').getByRole('link')).toBeFocused()
  await page.keyboard.press('F2')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('x')
  await expect(page.getByText('1 selected')).toBeVisible()
})

test('a moment is edited in place at the time where the person is, and keeps its hour', async ({ page }) => {
  const api = ann.api(proxies)
  const { id } = await api.create({
    protocol: 'http',
    host: 'cairo.example.com',
    port: 8080,
    expiresAt: '2030-11-30T22:00:00.000Z',
  })
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Africa/Cairo' })
  await page.goto(`${server.url}/cms/resource/proxies?view=none`)
  await cell(page, 'cairo.example.com', 'expiresAt').dblclick()
  const field = page.getByRole('dialog').locator('input[type="datetime-local"]')
  await expect(field).toHaveValue('2030-12-01T00:00')
  await field.fill('2030-12-31T18:00')
  await field.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect((await api.get({ id })).expiresAt).toBe('2030-12-31T16:00:00.000Z')
})

test('history shows each change and restores a former version; the trash gives back, or lets go for good', async ({
  page,
}) => {
  await page.goto(`${server.url}${LIST}?view=none`)
  const { id, version } = await find('user155')
  await ann.api(accounts).update({ id, version, channelName: 'Renamed' })
  // It comes by itself, in its place.
  await expect(cell(page, 'user155', 'channelName')).toHaveText('Renamed')
  await menu(page, 'user155', 'Copy the row')
  await expect(page.getByText('Copied')).toBeVisible()
  await menu(page, 'user155', 'History')
  await expect(page.getByRole('dialog')).toContainText('Channel 155')
  expect(await axeProblems(page)).toEqual([])
  await button(page, 'Restore this version').click()
  await button(page, 'Restore').click()
  await expect(page.getByText('brought a former version back')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cell(page, 'user155', 'channelName')).toHaveText('Channel 155')
  await menu(page, 'user155', 'Delete')
  await button(page, 'Delete').click()
  await expect(row(page, 'user155')).toBeHidden()
  await button(page, 'Trash').click()
  await menu(page, 'user155', 'Restore')
  await expect(page.getByText('The trash is empty')).toBeVisible()
  await button(page, 'Leave the trash').click()
  await row(page, 'user155').getByRole('link').click()
  // What a field of a form offers has its name.
  for (const field of ['Type', 'Profile']) {
    await page.getByRole('dialog').getByLabel(field, { exact: true }).click()
    await expect(page.getByRole('listbox', { name: field })).toBeVisible()
  }
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await expect(page.getByRole('dialog')).toContainText('brought a former version back')
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await menu(page, 'user155', 'Delete')
  await button(page, 'Delete').click()
  await button(page, 'Trash').click()
  const loose = await ann.api(accounts).create({ type: 'x', username: 'loose' })
  await ann.api(accounts).remove({ id: loose.id })
  await menu(page, 'user155', 'Delete for good')
  await button(page, 'Delete for good').click()
  await expect(row(page, 'user155')).toBeHidden()
  await button(page, 'Empty the trash').click()
  await expect(page.getByRole('dialog')).toContainText('1 of 1 would go for good.')
  expect(await axeProblems(page)).toEqual([])
  await button(page, 'Delete 1 for good').click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  expect((await ann.api(accounts).list({ trashed: 'true' })).totalRecord).toBe(0)
})

test('the trash of all kinds is one page: taken back, deleted for good after a look, emptied, by keyboard too', async ({
  page,
}) => {
  const [kept, gone] = [await ann.api(profiles).create({ name: 'Kept' }), await find('user153')]
  const user = await ann.api(accounts).create({ type: 'x', username: 'keeper', profileId: kept.id })
  const project = await ann.api(projects).create({ name: 'Old project' })
  for (const remove of [
    () => ann.api(profiles).remove({ id: kept.id }),
    () => ann.api(accounts).remove({ id: gone.id }),
    () => ann.api(projects).remove({ id: project.id }),
  ])
    await remove()
  await page.goto(`${server.url}/cms/resource/trash`)
  await expect(row(page, 'user153')).toContainText('Accounts')
  await expect(cell(page, 'Old project', 'deletedBy')).toHaveText('ann')
  expect(await axeProblems(page)).toEqual([])
  // What cannot go for good by hand can be taken back.
  await menu(page, 'Old project', 'Restore')
  // Rows stay where they are while a pointer is among them.
  await page.mouse.move(0, 0)
  await expect(row(page, 'Old project')).toBeHidden()
  expect((await ann.api(projects).get({ id: project.id })).name).toBe('Old project')
  await button(page, 'Empty the trash').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete for good' })
  await expect(dialog).toContainText('Accounts1 of 1')
  await expect(dialog).toContainText('Profiles0 of 1')
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button(page, 'Empty the trash')).toBeFocused()
  await page.keyboard.press('Enter')
  await button(page, 'Delete 1 for good').press('Enter')
  await expect(row(page, 'user153')).toBeHidden()
  await expect(row(page, 'Kept')).toBeVisible()
  await ann.api(accounts).remove({ id: user.id })
  await ann.api(accounts).purge({ id: user.id })
  await expect(row(page, 'keeper')).toBeHidden()
  await menu(page, 'Kept', 'Delete for good')
  await button(page, 'Delete 1 for good').click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
})

test('what somebody else removes goes, and all rows can be scrolled to', async ({ page }) => {
  await page.goto(`${server.url}${LIST}?view=none&perPage=-1`)
  await expect(row(page, 'user154')).toBeVisible()
  const { id } = await find('user154')
  await ann.api(accounts).remove({ id })
  await expect(row(page, 'user154')).toBeHidden()
  await page.locator('section[data-all]').evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
  await expect(row(page, 'user100')).toBeVisible()
  await expect(row(page, 'user159')).toBeHidden()
  // However long the list is, the page around it is not.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThan(100)
})

test('an import names the column that is needed, and says in sight why it is refused', async ({ page }) => {
  await button(page, 'Import').click()
  const wizard = page.getByRole('dialog')
  const type = wizard.getByRole('combobox', { name: 'Type' })
  const paste = async (rows: string) => {
    await wizard.getByLabel('Or paste rows').fill(rows)
    await wizard.getByRole('button', { name: 'Check rows' }).click()
  }
  await paste('username,sort of it\nuser158,website\nuser99,x')
  await expect(type).toHaveAccessibleDescription('Required')
  await type.selectOption('sort of it')
  await expect(type).not.toHaveAccessibleDescription('Required')
  // Of rows that are refused for there being such a record, the others can be taken.
  await wizard.getByText('Refuse', { exact: true }).click()
  await expect(wizard.getByRole('button', { name: 'Import all' })).toBeDisabled()
  await page.route('**/import/apply/**', (call) => call.fulfill({ status: 503, json: {} }))
  await wizard.getByRole('button', { name: 'Import only the good ones' }).click()
  await expect(wizard.getByRole('alert').last()).toBeInViewport()
  await page.unroute('**/import/apply/**')
  await wizard.getByRole('button', { name: 'Import only the good ones' }).click()
  await expect(wizard).toContainText('Created 1, updated 0, skipped 0, rejected 1')
})
