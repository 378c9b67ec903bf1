import { expect, test, type Locator } from '@playwright/test'
import { Keyboard } from './support/keyboard.ts'
import { AUTHOR, startOutsideApp, type OutsideApp } from './support/outside-app.ts'
import { ADMIN, until, Weft } from './support/weft.ts'

/**
 * A web application that knows nothing of Weft: somebody draws up a workflow in the editor, by keys alone, which signs in
 * to Node-RED, makes a flow for each name of a list, and reads them back.
 */

test.use({ actionTimeout: 30_000, reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })

const NAMES = ['North', 'South', 'East']

let weft: Weft
let app: OutsideApp

test.beforeAll(async () => {
  app = await startOutsideApp()
  weft = await Weft.start({ WEFT_SLOTS: '1' })
  await weft.setUp()
})
test.afterAll(async () => {
  await weft.stop()
  await app.stop()
})

/** Somebody who draws up a workflow in the outline and has no pointer. */
class Author extends Keyboard {
  /** The row of the outline that the keys go to. */
  get row(): Locator {
    return this.page.getByRole('tree').locator('[role=treeitem][tabindex="0"]')
  }

  /** Adds a step below the row that has the focus and goes on into its form. */
  async add(activity: string): Promise<void> {
    await this.press('Insert')
    await this.choose(activity)
  }

  /** Chooses what is to be added, in the dialog that asks for it. */
  async choose(activity: string): Promise<void> {
    const dialog = this.page.getByRole('dialog')
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await this.page.keyboard.type(activity)
    await expect(dialog.getByRole('option', { name: activity }).first()).toHaveAttribute(
      'data-combobox-selected',
    )
    await this.page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(this.page.locator('[id^="step-"]:focus-within, [id^="step-"]:focus').first()).toBeVisible()
  }

  /** Goes back from a step’s form to the outline. */
  async back(): Promise<void> {
    await this.to(this.row, 'Shift+Tab')
  }

  /** Says by what a field’s element is found. */
  async target(field: string, by: string, parts: Record<string, string>): Promise<void> {
    const group = this.rows(field)
    await this.to(group.getByRole('button', { name: 'Say how to find it' }))
    await this.page.keyboard.press('Enter')
    // The new row has the focus at once.
    await expect(group.getByLabel('Find by')).toBeFocused()
    await this.select(group.getByLabel('Find by'), by)
    for (const [label, words] of Object.entries(parts))
      await this.write(group.getByLabel(label, { exact: true }), words)
  }

  /** A field that holds rows. */
  rows(label: string): Locator {
    return this.page.getByRole('group', { name: label, exact: true })
  }

  /** Has another way to find an element, goes with it to the first place and back, and lets it go. */
  async tryAnother(field: string): Promise<void> {
    const group = this.rows(field)
    await this.to(group.getByRole('button', { name: 'Add another way' }))
    await this.page.keyboard.press('Enter')
    await expect(group.getByLabel('Find by').nth(1)).toBeFocused()
    await this.to(group.getByRole('button', { name: 'Move row 2 up' }))
    await this.page.keyboard.press('Enter')
    // It is the first now: a further press does not take it back.
    const up = group.getByRole('button', { name: 'Move row 1 up' })
    await expect(up).toBeFocused()
    await expect(up).toBeDisabled()
    await this.page.keyboard.press('Enter')
    await expect(up).toBeFocused()
    await this.press('Tab')
    await expect(group.getByRole('button', { name: 'Move row 1 down' })).toBeFocused()
    await this.page.keyboard.press('Enter')
    await expect(group.getByRole('button', { name: 'Move row 2 down' })).toBeFocused()
    await this.to(group.getByRole('button', { name: 'Remove row 2' }))
    await this.page.keyboard.press('Enter')
    await expect(group.getByRole('button', { name: 'Add another way' })).toBeFocused()
  }

  async select(control: Locator, option: string): Promise<void> {
    await this.to(control)
    await this.page.keyboard.type(option)
    await expect(control.locator('option:checked')).toHaveText(option)
  }

  /** Opens a list and goes down to one of its options. */
  async pick(control: Locator, option: string): Promise<void> {
    await this.to(control)
    await this.press('ArrowDown')
    const wanted = this.page.getByRole('option', { name: option, exact: true })
    await expect(wanted).toBeVisible()
    while ((await wanted.getAttribute('data-combobox-selected')) === null) await this.press('ArrowDown')
    await this.page.keyboard.press('Enter')
    await expect(control).toHaveValue(option)
  }

  field(label: string): Locator {
    // A field that must be filled in has a star behind its label.
    return this.page.locator('[data-step]').getByLabel(new RegExp(`^${label}( \\*)?$`))
  }
}

test('a workflow made by keys alone signs in to Node-RED, makes three flows, and reads them back', async ({
  page,
}) => {
  // Some hundred keys, each of which is looked after, and then the run.
  test.setTimeout(360_000)
  const api = await weft.signIn()
  await page.goto(`${weft.url}/login`)
  const keys = new Author(page)
  await keys.write(page.getByLabel('Username or e-mail'), ADMIN.username)
  await keys.write(page.getByLabel('Password', { exact: true }), ADMIN.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await page.goto(`${weft.url}/cms/workflow/list/new`)
  await keys.write(page.getByRole('dialog').getByLabel('Name'), 'Flows by list')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL('**/workflow/editor/*')
  await keys.to(page.getByRole('button', { name: 'Add the first step' }))
  await page.keyboard.press('Enter')
  await keys.choose('Sign in with account')
  await keys.write(keys.field('Address of the sign-in page'), app.url)
  await keys.target('Field of the user name', 'Label', { Label: 'Username:' })
  await keys.target('Field of the password', 'Label', { Label: 'Password:' })
  await keys.target('Sign-in button', 'Role', { Role: 'button', Name: 'Login' })
  await keys.tryAnother('Sign-in button')
  await keys.target('Shows that one is signed in', 'Role', { Role: 'link', Name: 'Add flow' })

  await keys.back()
  await keys.add('For each')
  await keys.write(keys.field('List'), `['${NAMES.join("', '")}']`)
  await keys.back()
  // Into the loop: below its heading.
  await keys.press('ArrowDown')
  await keys.add('Click')
  await keys.target('Element', 'Role', { Role: 'link', Name: 'Add flow' })
  await keys.back()
  await keys.add('Click')
  await keys.target('Element', 'CSS selector', { 'CSS selector': 'li.red-ui-tab.active[flowname]' })
  await keys.write(keys.field('Clicks'), '2')
  await keys.back()
  await keys.add('Fill')
  await keys.target('Element', 'CSS selector', { 'CSS selector': '#node-input-name' })
  await keys.write(keys.field('Text'), '{{ loop.value }}')
  await keys.back()
  await keys.add('Click')
  await keys.target('Element', 'Role', { Role: 'button', Name: 'Done' })
  // Out of the loop by its heading, which closes, and on below it.
  await keys.back()
  await keys.press('ArrowLeft', 'ArrowLeft', 'ArrowLeft')
  await keys.add('Click')
  await keys.target('Element', 'CSS selector', { 'CSS selector': '#red-ui-header-button-deploy' })
  await keys.back()
  await keys.add('Wait for')
  await keys.target('Element', 'CSS selector', { 'CSS selector': '#red-ui-header-button-deploy.disabled' })
  await keys.back()
  await keys.add('Open page')
  await keys.write(keys.field('Address'), app.url)
  await keys.back()
  await keys.add('Extract')
  await keys.pick(keys.field('What'), 'List of records')
  await keys.target('Element', 'CSS selector', { 'CSS selector': 'li.red-ui-tab[flowname]' })
  await keys.back()
  await keys.add('Finish')
  await keys.to(keys.rows('Results').getByRole('button', { name: 'Add row' }))
  await page.keyboard.press('Enter')
  await expect(keys.rows('Results').getByLabel('Name 1')).toBeFocused()
  await keys.write(keys.rows('Results').getByLabel('Name 1'), 'flows')
  await keys.write(keys.rows('Results').getByLabel('Value 1'), '{{ steps.extract.value }}')
  await keys.back()
  await keys.press('Control+s')
  await expect(page.getByText('Not saved', { exact: true })).toBeHidden()

  const { id, version } = await until(
    'the workflow',
    async () => (await api.workflows.list({ q: 'Flows by list' })).data[0],
  )
  expect((await api.workflows.get({ id })).problems).toEqual([])
  await api.workflows.publish({ id, version })
  const campaign = await api.campaigns.create({
    title: 'Flows',
    workflowId: id,
    pairing: { per: 'account', profile: 'none', proxy: 'none' },
  })
  const host = new URL(app.url).host
  const account = await api.accounts.create({ type: 'website', ...AUTHOR, allowedDomains: [host] })
  const client = await until('a client', async () => (await api.clients.list({})).data[0])
  await api.campaigns.addAccounts({ campaignId: campaign.id, selection: { ids: [account.id] } })
  await api.campaigns.addClients({ campaignId: campaign.id, selection: { ids: [client.id] } })
  await api.campaigns.start({ id: campaign.id })
  const run = await until(
    'the end of the run',
    async () =>
      (await api.runs.list({ campaignId: campaign.id })).data.find(({ cycle }) => cycle === 'finished'),
    120_000,
  )
  expect(run).toMatchObject({ result: 'succeeded', error: null })
  const item = (await api.campaigns.items({ id: campaign.id })).data[0]
  expect(item).toMatchObject({ outputs: { flows: ['Flow 1', ...NAMES] } })
  expect(app.flows()).toEqual(['Flow 1', ...NAMES])
})
