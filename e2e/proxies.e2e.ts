import { expect, test, type Page } from '@playwright/test'
import { devices } from '@weft/contract/devices/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import { changeSetting } from '../apps/server/src/features/system/settings.ts'
import {
  PROXY_USER,
  checkAddress,
  httpProxy,
  type Running,
} from '../apps/server/src/testing/proxy-servers.ts'
import type { TestServer } from '../apps/server/src/testing/server.ts'
import { Console } from './support/console.ts'
import { settled } from './support/inspect.ts'
import { enterAs, serverWithConsole } from './support/people.ts'

/** Proxies that are real, and checked by who owns them; phones as people write them; devices of one's own. */

test.use({ actionTimeout: 10_000, viewport: { width: 1440, height: 900 } })

let server: TestServer
let target: Running & { url: string }

test.beforeAll(async () => {
  server = await serverWithConsole()
  target = await checkAddress()
  await server.deps.db.transaction(async (tx) => {
    await changeSetting(tx, 'proxyCheckUrl', target.url, null)
    await changeSetting(tx, 'proxyPrivateNetworks', '127.0.0.0/8', null)
  })
  server.deps.system.forget()
})
test.afterAll(async () => {
  await target.stop()
  await server.stop()
})

const operator = async () => server.as('operator')
const drawer = (page: Page) => page.getByRole('dialog')
const menuOf = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('a proxy is pasted, tried, saved, checked, quarantined, and comes back', async ({ page }) => {
  const first = await httpProxy({ auth: true })
  const { port } = first
  const name = `127.0.0.1:${port}`
  const api = (await operator()).api(proxies)
  await api.create({ protocol: 'http', host: '127.0.0.1', port: 9 })
  await enterAs(page, server, 'operator', '/cms/resource/proxies')
  const ui = new Console(page)
  await page.getByRole('link', { name: 'Create proxy' }).first().click()
  const form = drawer(page)
  const password = encodeURIComponent(PROXY_USER.password)
  await form.getByLabel('Paste a line').fill(`http://${PROXY_USER.username}:wrong@${name}`)
  await expect(form.getByLabel('Host')).toHaveValue('127.0.0.1')
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByText('It refused the credentials')).toBeVisible()
  await form.getByLabel('Paste a line').fill(`http://${PROXY_USER.username}:${password}@${name}`)
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByText('It works:')).toContainText('81.2.69.142 · United Kingdom')
  await form.getByRole('button', { name: 'Create', exact: true }).click()

  const row = ui.row(name)
  await expect(row).toContainText('Unverified')
  await menuOf(page, name, 'Check')
  await expect(row).toContainText('Healthy')
  await expect(row).toContainText('81.2.69.142')
  await expect(row).toContainText('United Kingdom')
  await expect(row).toContainText('100%')

  await first.stop()
  const [made] = (await api.list({ q: String(port) })).data
  await menuOf(page, name, 'Check')
  await expect(row).toContainText('Failing')
  for (const failures of [2, 3]) {
    await api.check({ selection: { ids: [made?.id ?? ''] } })
    await expect.poll(async () => (await api.list({ q: String(port) })).data[0]?.failures).toBe(failures)
  }
  await expect(row).toContainText('Quarantined')
  await expect(row).toContainText('Nobody answers there')
  const again = await httpProxy({ auth: true, port })
  // The chosen: this one and the one that is not there.
  await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('checkbox', { name: 'Select 127.0.0.1:9' }).check()
  await page
    .getByRole('region', { name: /selected/i })
    .getByRole('button', { name: 'Check' })
    .click()
  await expect(row).toContainText('Healthy')
  const progress = page.getByRole('region', { name: 'Check of proxies' })
  await expect(progress).toContainText('Proxies checked')
  await expect(progress).toContainText('1 good')
  await expect(progress).toContainText('1 failed')
  await page.reload()
  await expect(progress).toContainText('1 failed')
  await again.stop()
})

test('a phone is read as it is dialled at home, its twin is named, and it stays left-to-right in Arabic', async ({
  page,
}) => {
  await enterAs(page, server, 'operator', '/cms/resource/phones/new')
  const form = drawer(page)
  await form.getByLabel('Phone number').fill('06 98 76 54 32')
  await expect(form.getByText('Not a whole number yet')).toBeVisible()
  await form.getByLabel('Country Code').fill('France')
  await page.getByRole('option', { name: /^France/ }).click()
  await expect(form.getByRole('status')).toContainText('+33 6 98 76 54 32')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const ui = new Console(page)
  await expect(ui.row('+33698765432')).toContainText('06 98 76 54 32')

  await page.getByRole('link', { name: 'Create phone' }).first().click()
  await form.getByLabel('Phone number').fill('0033698765432')
  await expect(form.getByLabel('Country Code')).toHaveValue(/France/)
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('There is one already: +33698765432').first()).toBeVisible()
  expect((await (await operator()).api(phones).list({})).totalRecord).toBe(1)

  await page.evaluate(() => localStorage.setItem('Lang::I18n', 'ar'))
  await page.goto(`${server.url}/cms/resource/phones`)
  await settled(page)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  for (const shown of ['+33698765432', '06 98 76 54 32']) {
    const number = page.getByText(shown, { exact: true })
    expect(await number.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr')
  }
})

test('a built-in device is copied, changed, used, and kept while it is used', async ({ page }) => {
  const person = await operator()
  await enterAs(page, server, 'operator', '/cms/config/device?q=Pixel 9')
  const ui = new Console(page)
  await ui.row('Pixel 9').first().click()
  await drawer(page).getByRole('link', { name: 'Make a copy' }).click()
  const form = drawer(page)
  await form.getByLabel('Name').fill('Pixel 9 in the shop')
  await form.getByLabel('Width').fill('400')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(ui.row('Pixel 9 in the shop')).toContainText('400 × ')
  await expect(ui.row('Pixel 9 in the shop')).toContainText('Own')

  const [made] = (await person.api(devices).list({ builtIn: 'false' })).data
  const user = await person.api(profiles).create({ name: 'At the counter', deviceId: made?.id })
  await menuOf(page, 'Pixel 9 in the shop', 'Delete')
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog')).last()
  await expect(question).toContainText('At the counter')
  await expect(question.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await person.api(profiles).remove({ id: user.id })
  await menuOf(page, 'Pixel 9 in the shop', 'Delete')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(ui.row('Pixel 9 in the shop')).toHaveCount(0)
})
