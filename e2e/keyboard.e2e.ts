import { expect, test, type Locator } from '@playwright/test'
import { outlineOf } from '@weft/workflow/outline'
import { decodeDocument } from '@weft/workflow/state-codec'
import { Keyboard } from './support/keyboard.ts'
import { ADMIN, until, Weft } from './support/weft.ts'

test.use({ reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })

let weft: Weft
test.beforeAll(async () => {
  weft = await Weft.start({ WEFT_LOCAL_AGENT: 'false' })
  await weft.setUp()
})
test.afterAll(async () => {
  await weft.stop()
})

test.beforeEach(async ({ page }) => {
  // There is no pointer: a test that used one would prove nothing.
  await page.addInitScript(() => {
    addEventListener(
      'pointerdown',
      () => document.documentElement.setAttribute('data-pointer-was-used', ''),
      true,
    )
  })
})

test.afterEach(async ({ page }) => {
  await expect(page.locator('html')).not.toHaveAttribute('data-pointer-was-used')
})

async function signIn(keys: Keyboard): Promise<void> {
  const { page } = keys
  await page.goto(weft.url)
  await page.waitForURL('**/auth/login')
  await keys.write(page.getByLabel('Username or e-mail'), ADMIN.username)
  await keys.write(page.getByLabel('Password', { exact: true }), ADMIN.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}

/** Opens the menu of the button that has the focus and takes an entry. */
async function choose(keys: Keyboard, entry: string): Promise<void> {
  await keys.page.keyboard.press('Enter')
  await expect(keys.page.getByRole('menuitem').first()).toBeFocused()
  await keys.to(keys.page.getByRole('menuitem', { name: entry, exact: true }), 'ArrowDown')
  await keys.page.keyboard.press('Enter')
}

test('an account is made, changed and deleted by keys alone', async ({ page }) => {
  const api = await weft.signIn()
  for (const name of ['Wanted by keys', 'Aside']) await api.profiles.create({ name })
  const keys = new Keyboard(page)
  await signIn(keys)

  // By the menu to the list.
  await keys.to(page.getByRole('button', { name: 'Resource', exact: true }))
  await choose(keys, 'Accounts')
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()

  // A form refused, mended, and saved.
  await keys.to(page.getByRole('link', { name: 'Create account' }))
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await keys.to(drawer.getByRole('button', { name: 'Create', exact: true }))
  await page.keyboard.press('Enter')
  await expect(drawer.getByRole('alert')).toBeFocused()
  await keys.press('Tab')
  await page.keyboard.press('Enter')
  const type = drawer.getByLabel('Type')
  await expect(type).toBeFocused()
  await keys.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Website' })).toBeVisible()
  await keys.press('ArrowDown', 'Enter')
  await expect(type).not.toHaveValue('')
  await keys.write(drawer.getByLabel('Username'), 'by-keys')

  // Another record, searched for: a combobox that says whether its list is open, and which that is.
  const profile = drawer.getByRole('combobox', { name: 'Profile' })
  await keys.to(profile)
  await expect(profile).toHaveAttribute('aria-expanded', 'false')
  await keys.press('ArrowDown')
  await expect(profile).toHaveAttribute('aria-expanded', 'true')
  const offered = page.getByRole('listbox', { name: 'Profile' })
  await expect(profile).toHaveAttribute('aria-controls', (await offered.getAttribute('id')) ?? '')
  await keys.press('Escape')
  await expect(offered).toBeHidden()
  await expect(profile).toBeFocused()

  // Enter takes what was searched for, not what was there before, and sends nothing while it is looked for.
  const seen = Promise.withResolvers<void>()
  await page.route(/\/profile\/list.*Wanted/, async (route) => {
    await seen.promise
    await route.continue()
  })
  await keys.press('ArrowDown')
  await expect(offered.getByRole('option', { name: 'Aside' })).toBeVisible()
  await page.keyboard.type('Wanted')
  await page.keyboard.press('Enter')
  await expect(offered).toBeVisible()
  await expect(profile).toHaveValue('Wanted')
  seen.resolve()
  await expect(offered.getByRole('option')).toHaveText(['Wanted by keys'])
  await page.keyboard.press('Enter')
  await expect(offered).toBeHidden()
  await expect(profile).toHaveValue('Wanted by keys')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/accounts$/)
  const row = page.getByRole('row').filter({ hasText: 'by-keys' })
  await expect(row).toBeVisible()
  await keys.seen()

  // Changed by its link.
  await keys.to(row.getByRole('link', { name: 'by-keys' }))
  await page.keyboard.press('Enter')
  await keys.write(drawer.getByLabel('Channel Name'), 'Keys Only')
  await page.keyboard.press('Control+Enter')
  await expect(row.getByText('Keys Only')).toBeVisible()
  await keys.seen()

  // The row's menu, and its danger.
  const menu = row.getByRole('button', { name: 'Actions for by-keys' })
  await keys.to(menu)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await keys.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  for (let presses = 0; presses < 12; presses += 1) {
    if (
      await page.getByRole('menuitem', { name: 'Delete' }).evaluate((item) => item === document.activeElement)
    )
      break
    await keys.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Are you sure?' })
  await keys.to(question.getByRole('button', { name: 'Delete' }))
  await page.keyboard.press('Enter')
  await expect(row).toBeHidden()
  await keys.seen()
})

test('a step is added, moved and deleted in the outline and the workflow saved by keys alone', async ({
  page,
}) => {
  const api = await weft.signIn()
  const workflow = await until('a workflow', async () => (await api.workflows.list({})).data[0])
  const steps = async () => {
    const document = decodeDocument((await api.workflows.get({ id: workflow.id })).draft)
    if (!document.ok) throw new Error('the workflow cannot be read')
    return outlineOf(document.value).flatMap((row) => (row.kind === 'step' ? [row.activity.type] : []))
  }
  const before = await steps()
  const keys = new Keyboard(page)
  await signIn(keys)
  await page.goto(`${weft.url}/cms/workflow/editor/${workflow.id}`)
  const tree = page.getByRole('tree')
  const rows = tree.getByRole('treeitem', { level: 1 })
  await keys.to(tree.locator('[role=treeitem][tabindex="0"]'))

  // Added below the first step.
  await keys.press('Home', 'Insert')
  const search = page.getByRole('dialog').getByRole('textbox')
  await expect(search).toBeFocused()
  await page.keyboard.type('Log')
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  // The keyboard goes on into the form of the new step.
  await expect(page.locator('[id^="step-"]:focus')).toBeVisible()
  await keys.seen()
  await page.keyboard.type('Written by keys')
  await keys.to(tree.locator('[role=treeitem][tabindex="0"]'), 'Shift+Tab')
  const added = rows.filter({ hasText: 'Written by keys' })
  await expect(added).toBeFocused()

  // Moved down and saved.
  const place = await added.getAttribute('aria-posinset')
  await keys.press('Alt+ArrowDown')
  await expect(added).toHaveAttribute('aria-posinset', String(Number(place) + 1))
  await expect(added).toBeFocused()
  await keys.press('Control+s')
  await expect.poll(steps).toEqual(before.toSpliced(Number(place), 0, 'log'))

  // Deleted and saved; the focus goes on to a neighbour.
  await keys.press('Delete')
  await expect(added).toHaveCount(0)
  await expect(tree.locator('[role=treeitem]:focus')).toHaveCount(1)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await keys.to(save, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(steps).toEqual(before)
  // There is nothing more to save: the button is shut and keeps the focus, so that a further Enter does nothing.
  await expect(save).toBeDisabled()
  await expect(save).toBeFocused()
  await keys.press('Enter')
  await expect(save).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // All is taken back, and nothing is done again by one press too many.
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  const redo = page.getByRole('button', { name: 'Redo', exact: true })
  const top = rows.first()
  const first = await top.textContent()
  await keys.to(tree.locator('[role=treeitem][tabindex="0"]'))
  await keys.press('Home', 'Alt+ArrowDown', 'Alt+ArrowDown')
  await expect(top).not.toHaveText(first ?? '')
  await keys.to(undo, 'Shift+Tab')
  await expect(redo).toBeDisabled()
  for (let presses = 0; presses < 12; presses += 1) await keys.press('Enter')
  await expect(undo).toBeDisabled()
  await expect(undo).toBeFocused()
  await expect(redo).toBeEnabled()
})

test('a button that is shut while it works has the focus again afterwards, on the page and in a dialog', async ({
  page,
}) => {
  const keys = new Keyboard(page)
  await signIn(keys)
  await page.goto(`${weft.url}/cms/resource/proxies`)
  await expect(page.getByRole('heading', { level: 1, name: 'Proxies' })).toBeVisible()
  /** Presses a button whose call is answered only when the page has been drawn at work. */
  const pressSlowly = async (button: Locator, path: string) => {
    const seen = Promise.withResolvers<void>()
    await page.route(path, async (route) => {
      await seen.promise
      await route.continue()
    })
    await keys.to(button)
    await page.keyboard.press('Enter')
    await expect(button).toBeDisabled()
    seen.resolve()
    await expect(button).toBeEnabled()
    await page.unroute(path)
  }

  const refresh = page.getByRole('button', { name: 'Refresh' })
  await pressSlowly(refresh, '**/proxy/list*')
  await expect(refresh).toBeFocused()
  await keys.press('Tab')

  // In a form, which stays open.
  await keys.to(page.getByRole('link', { name: 'Create proxy' }).first(), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await keys.write(drawer.getByLabel('Host'), '127.0.0.1')
  await keys.write(drawer.getByLabel('Port'), '9')
  const check = drawer.getByRole('button', { name: 'Test', exact: true })
  await pressSlowly(check, '**/proxy/test')
  await expect(check).toBeFocused()
  await page.keyboard.press('Control+Enter')
  const row = page.getByRole('row').filter({ hasText: '127.0.0.1' })
  await expect(row).toBeVisible()

  // In a small window, which stays open when somebody else was faster.
  await keys.to(row.getByRole('link').first())
  await page.keyboard.press('F2')
  const small = page.getByRole('dialog')
  await expect(small.getByRole('combobox')).toBeFocused()
  await keys.press('ArrowDown', 'ArrowDown', 'Enter')
  const api = await weft.signIn()
  const proxy = await until('the proxy', async () => (await api.proxies.list({})).data[0])
  await api.proxies.update({ id: proxy.id, version: proxy.version, notes: 'Theirs' })
  const keep = small.getByRole('button', { name: 'Save', exact: true })
  await pressSlowly(keep, '**/proxy/update')
  await expect(small.getByRole('alert')).toBeVisible()
  await expect(keep).toBeFocused()
})
