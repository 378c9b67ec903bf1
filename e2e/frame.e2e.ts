import { expect, test, type Page } from '@playwright/test'
import type { TestServer } from '../apps/server/src/testing/server.ts'
import { enterAs, preferenceCookies, serverWithConsole, signInAs, stored } from './support/people.ts'

/** What is around every page: who gets in where, what is kept where, what is said when something fails. */

test.use({ actionTimeout: 30_000 })

let server: TestServer

test.beforeAll(async () => {
  server = await serverWithConsole()
  for (const role of ['administrator', 'operator', 'viewer'] as const) await server.as(role)
})
test.afterAll(() => server.stop())
test.beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

const at = (path: string) => server.url + path
const pathOf = (page: Page) => page.url().slice(server.url.length)

/** Notes every word that stands in the page at any moment from its first, and what colour scheme it has. */
async function record(
  page: Page,
): Promise<{ texts: () => Promise<string>; schemes: () => Promise<string[]> }> {
  await page.addInitScript(() => {
    const seen = { texts: new Set<string>(), schemes: new Set<string>() }
    Object.assign(window, { seen })
    const look = () => {
      // Without a body nothing is painted yet.
      if (document.body) seen.schemes.add(document.documentElement.dataset['mantineColorScheme'] ?? '')
      const walk = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
      for (let node = walk.nextNode(); node; node = walk.nextNode()) seen.texts.add(node.textContent ?? '')
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true })
  })
  const read = (what: 'texts' | 'schemes') =>
    page.evaluate((name) => {
      const seen: unknown = Reflect.get(window, 'seen')
      const found: unknown = seen !== null && typeof seen === 'object' ? Reflect.get(seen, name) : undefined
      return found instanceof Set ? Array.from(found, String) : []
    }, what)
  return { texts: async () => (await read('texts')).join('\n'), schemes: () => read('schemes') }
}

test.describe('the way to a page', () => {
  test('leads visitors to the sign-in and back, unknown addresses to 404', async ({ page }) => {
    await page.goto(at('/'))
    await expect(page).toHaveURL(at('/auth/login'))
    await page.goto(at('/cms/campaign/list?page=2#top'))
    await expect(page).toHaveURL(
      at(`/auth/login?nextUrl=${encodeURIComponent('/cms/campaign/list?page=2#top')}`),
    )
    await page.goto(at('/no/such/page'))
    await expect(page).toHaveURL(at('/error/404'))
    await expect(page).toHaveTitle('[WEFT] - Page not found')
    await page.goto(at('/under-maintenance'))
    await expect(page).toHaveURL(/\/auth\/login/)
    await signInAs(page, server.url, 'operator', '/cms/campaign/list?page=1')
    await expect(page).toHaveURL(at('/cms/campaign/list?page=1'))
    await page.goto(at('/under-maintenance'))
    await expect(page).toHaveURL(at('/dashboard'))
  })

  test('shows neither menu nor 403 nor 404 before it knows who is there, however slow the server', async ({
    page,
  }) => {
    await enterAs(page, server, 'viewer')
    await page.route('**/system/system-config', async (route) => {
      await new Promise((done) => setTimeout(done, 700))
      await route.continue()
    })
    const seen = await record(page)
    await page.goto(at('/cms/resource/accounts'))
    await expect(page.locator('#spinner')).toBeVisible()
    expect(await page.getByRole('navigation').count()).toBe(0)
    await expect(page.getByRole('heading', { level: 1, name: 'Accounts' })).toBeVisible()
    await expect(page.locator('#spinner')).toHaveCount(0)
    const texts = await seen.texts()
    for (const never of ['403', '404', 'No access to this page', 'Page not found', 'Sign in'])
      expect(texts.split('\n')).not.toContain(never)
  })

  test('leads to an anchor 60 pixels below the top, and back to the top from 200 pixels on', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1200, height: 320 })
    await enterAs(page, server, 'operator')
    await page.goto(at('/dashboard#content'))
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    const offset = () =>
      page.locator('#content').evaluate((found) => Math.round(found.getBoundingClientRect().top))
    await expect.poll(offset).toBe(60)
    const back = page.getByRole('button', { name: 'Back to top' })
    await page.evaluate(() => scrollTo(0, 200))
    await expect(back).toHaveCount(0)
    await page.evaluate(() => scrollTo(0, 201))
    await back.click()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  })

  test('says which right is missing and who can give it, and asks them', async ({ page, browser }) => {
    const other = await browser.newContext()
    const admin = await other.newPage()
    await enterAs(admin, server, 'administrator')
    await expect(admin.getByRole('button', { name: /^Live connection: Live$/ })).toBeVisible()
    await enterAs(page, server, 'viewer')
    await page.goto(at('/cms/campaign/new'))
    await expect(page).toHaveURL(at('/error/403'))
    await expect(page.getByText('Needed: “Campaigns: create”')).toBeVisible()
    await expect(page.getByText('Can be given by: administrator')).toBeVisible()
    await page.getByLabel('Why you need it (optional)').fill('for the spring')
    await page.getByRole('button', { name: 'Request access' }).click()
    await expect(page.getByText(/^Asked 1 person\./)).toBeVisible()
    // The bell of who was asked, on a page that was open all the while.
    await admin.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    await expect(admin.getByRole('dialog', { name: 'Notifications' })).toContainText(
      'Campaigns: create · for the spring',
    )
    await page.goBack()
    await page.goto(at('/cms/campaign/new'))
    await page.getByRole('button', { name: 'Request access' }).click()
    await expect(page.getByRole('button', { name: /^Next request in \d:\d\d$/ })).toBeDisabled()
    await other.close()
  })

  test('a closed system sends everybody to its page, and back when it is open', async ({ page }) => {
    await enterAs(page, server, 'operator')
    await server.deps.pool.query(`insert into setting (key, value) values ('systemStatus', '0')`)
    await server.deps.pool.query(`select pg_notify('weft_settings', '')`)
    await page.goto(at('/cms/campaign/list'))
    await expect(page).toHaveURL(at('/under-maintenance'))
    await expect(page.getByRole('heading', { name: "We'll be back soon!" })).toBeVisible()
    await server.deps.pool.query(`delete from setting where key = 'systemStatus'`)
    await server.deps.pool.query(`select pg_notify('weft_settings', '')`)
    // Back to where it took them from.
    await page.reload()
    await expect(page).toHaveURL(at('/cms/campaign/list'))
  })
})

test.describe('preferences', () => {
  test('are kept in named cookies, painted at once after a reload, and known on a second device', async ({
    page,
    context,
    browser,
  }) => {
    await signInAs(page, server.url, 'operator')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Customize' }).click()
    const drawer = page.getByRole('dialog', { name: 'Customize' })
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/user/preferences') && response.request().method() === 'POST',
    )
    await drawer.getByText('Light', { exact: true }).click()
    await saved
    await drawer.getByText('Vertical', { exact: true }).click()
    await drawer.getByRole('group', { name: 'Navbar' }).getByText('Hidden').click()
    await expect(page.getByRole('button', { name: 'Your account' })).toHaveCount(0)
    // Horizontal again: a hidden navbar comes back.
    await drawer.getByText('Horizontal', { exact: true }).click()
    await expect(page.getByRole('button', { name: 'Your account' })).toHaveCount(1)
    await drawer.getByText('Fluid', { exact: true }).click()
    const cookies = await preferenceCookies(context)
    expect(cookies).toMatchObject({
      'WEFT-theme': 'light',
      'WEFT-skin': 'default',
      'WEFT-appContentWidth': 'fluid',
      'WEFT-isNavbarBlurEnabled': 'true',
      'WEFT-isVerticalNavCollapsed': 'false',
      'WEFT-isVerticalNavSemiDark': 'false',
      'WEFT-color-scheme': expect.stringMatching(/^(?:light|dark)$/),
    })
    const seen = await record(page)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
    expect((await seen.schemes()).filter((scheme) => scheme !== 'light')).toEqual([])

    const second = await browser.newContext()
    const phone = await second.newPage()
    await signInAs(phone, server.url, 'operator')
    await expect(phone.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
    await expect(phone.locator('[data-width="fluid"]')).toHaveCount(1)
    // What is chosen there shows here while the page stays open.
    await expect(page.getByRole('button', { name: /^Live connection: Live$/ })).toBeVisible()
    await phone.getByRole('button', { name: 'Theme' }).click()
    await phone.getByRole('menuitem', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await second.close()
  })

  test('the navigation is an overlay below 976 pixels and what it was above', async ({ page }) => {
    await enterAs(page, server, 'viewer')
    const nav = page.locator('[data-nav]')
    await expect(nav).toHaveAttribute('data-nav', 'horizontal')
    await page.setViewportSize({ width: 975, height: 700 })
    await expect(nav).toHaveAttribute('data-nav', 'overlay')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('dialog').getByRole('navigation', { name: 'Main' })).toBeVisible()
    await page.setViewportSize({ width: 976, height: 700 })
    await expect(nav).toHaveAttribute('data-nav', 'horizontal')
  })

  test('a group of the navigation opens also for a pointer that was there before it', async ({ page }) => {
    await enterAs(page, server, 'viewer')
    const group = page.getByRole('navigation', { name: 'Main' }).getByRole('button').first()
    // A browser tells it so when what was under a resting pointer is replaced: nothing has told that it left.
    await group.dispatchEvent('pointerover', {
      pointerType: 'mouse',
      relatedTarget: await page.getByRole('main').elementHandle(),
    })
    await expect(page.getByRole('menuitem').first()).toBeVisible()
  })

  test('the language sets language, direction and numbers of the page', async ({ page }) => {
    await enterAs(page, server, 'lina')
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitem', { name: 'العربية' }).click()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    expect(await stored(page)).toMatchObject({
      'Lang::I18n': 'ar',
      'Lang::Data': expect.stringContaining('"rtl":true'),
    })
  })
})

test.describe('a call that fails', () => {
  const FAILURES = [
    { status: 403, code: 'access.denied', says: 'You are not allowed to do this.' },
    { status: 404, code: 'record.not_found', says: 'Cannot found item' },
    {
      status: 409,
      code: 'record.wrong_state',
      params: { state: 'x' },
      says: /not possible in its present state/,
    },
    { status: 422, code: 'request.invalid', says: 'Data invalid' },
    { status: 429, code: 'request.too_many', params: { seconds: 7 }, says: /try again in 7 s/ },
    { status: 500, code: 'system.failed', says: 'Something went wrong on the server.' },
    { status: 503, code: 'system.read_only', says: 'Nothing can be changed for now.' },
    { status: 504, code: 'request.timeout', says: 'The server did not answer in time.' },
    { status: 0, code: 'network.unreachable', says: /^The server cannot be reached\. Check/ },
  ] as const

  test('says what is wrong and keeps the page and what was typed', async ({ page }) => {
    await enterAs(page, server, 'operator', '/cms/project/list/new')
    const dialog = page.getByRole('dialog')
    const name = dialog.getByRole('textbox', { name: 'Name' })
    await name.fill('Typed with care')
    for (const failure of FAILURES) {
      await page.route('**/project/create', (route) =>
        failure.status === 0
          ? route.abort('internetdisconnected')
          : route.fulfill({
              status: failure.status,
              json: {
                status: 'Error',
                code: failure.code,
                message: 'In English',
                params: 'params' in failure ? failure.params : {},
              },
            }),
      )
      await dialog.getByRole('button', { name: 'Create' }).click()
      await expect(page.getByText(failure.says).first()).toBeVisible()
      expect(pathOf(page)).toBe('/cms/project/list/new')
      await expect(name).toHaveValue('Typed with care')
      await page.unroute('**/project/create')
    }
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByText('Insert data successfully')).toBeVisible()
  })

  test('many at once with a token that ended bring one new one; a session that ended brings the sign-in', async ({
    page,
  }) => {
    const { pool } = server.deps
    await signInAs(page, server.url, 'operator', '/cms/project/list')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    let refreshes = 0
    let refused = 0
    page.on('response', (response) => {
      if (response.url().endsWith('/auth/refresh')) refreshes += 1
      else if (response.status() === 401) refused += 1
    })
    await pool.query('delete from access_token')
    server.deps.identities.forget()
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await expect.poll(() => refreshes).toBe(1)
    expect(refused).toBeGreaterThan(0)
    await pool.query(
      `update session set ended_at = now() where user_id = (select id from app_user where username = 'operator')`,
    )
    await pool.query(`select pg_notify('weft_identity', '')`)
    await page.goto(at('/cms/project/list'))
    await expect(page).toHaveURL(at(`/auth/login?nextUrl=${encodeURIComponent('/cms/project/list')}`))
  })

  test('a session that cannot be told good from bad is left after three seconds', async ({ page }) => {
    await signInAs(page, server.url, 'operator', '/cms/project/list')
    // From the first answer on, not from when somebody here saw what the page said of it.
    let failedAt = 0
    await page.route('**/auth/refresh', (route) => {
      failedAt ||= Date.now()
      return route.fulfill({ status: 500, json: { status: 'Error', code: 'system.failed', message: 'no' } })
    })
    await server.deps.pool.query('delete from access_token')
    server.deps.identities.forget()
    await page.getByRole('link', { name: 'Dashboard' }).first().click()
    await expect(page.getByText('Something went wrong on the server.').first()).toBeVisible()
    await expect(page).toHaveURL(at('/auth/login'))
    expect(Date.now() - failedAt).toBeGreaterThan(2500)
    expect(Object.keys(await stored(page)).filter((key) => key.startsWith('Auth::Token'))).toEqual([])
  })
})
