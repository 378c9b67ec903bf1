import { expect, test } from '@playwright/test'
import { notifications } from '@weft/contract/notifications/api'
import { notify } from '../apps/server/src/features/notifications/notify.ts'
import type { TestServer } from '../apps/server/src/testing/server.ts'
import { enterAs, serverWithConsole, signInAs, stored } from './support/people.ts'

/** Who is there: what the browser keeps of them, what they are told, and who looks on as them. */

test.use({ actionTimeout: 30_000 })

let server: TestServer

test.beforeAll(async () => {
  server = await serverWithConsole()
  for (const role of ['administrator', 'operator', 'viewer'] as const) await server.as(role)
})
test.afterAll(() => server.stop())
test.beforeEach(() => server.deps.pool.query('delete from sign_in_throttle'))

const at = (path: string) => server.url + path

test.describe('what the browser keeps', () => {
  const KEYS = [
    'Auth::IsRemember',
    'Auth::Username',
    'Auth::Token::Data',
    'Auth::User::Data',
    'Lang::Data',
    'Lang::I18n',
    'Lang::I18ns',
    'Nav::ReturnPath',
  ]

  test('is what is named, without a password, and goes with the sign-out, also offline and in every tab', async ({
    page,
    context,
  }) => {
    await page.goto(at('/login'))
    await page.evaluate(() => localStorage.setItem('Auth::Password', 'c2VjcmV0'))
    await page.getByLabel('Remember me').check()
    await signInAs(page, server.url, 'operator')
    const kept = await stored(page)
    expect(Object.keys(kept).filter((key) => !KEYS.includes(key))).toEqual([])
    expect(Object.values(kept).join()).not.toContain('the password of tests')
    const other = await context.newPage()
    await other.goto(at('/cms/project/list'))
    await expect(other.getByRole('button', { name: 'Your account' })).toBeVisible()
    // The menus come when one goes near them, or by themselves after a while; from then on the way out needs no network.
    await page.getByRole('button', { name: 'Your account' }).hover()
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('bar-menus')),
    )
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect
      .poll(async () => Object.keys(await stored(page)).filter((key) => key.startsWith('Auth::')))
      .toEqual([])
    await expect(other.getByRole('button', { name: 'Your account' })).toHaveCount(0)
    await context.setOffline(false)
    await page.goto(at('/cms/project/list'))
    await expect(page).toHaveURL(/\/auth\/login/)
  })

  test('another person who signs in in another tab is the one in all', async ({ page, context }) => {
    await signInAs(page, server.url, 'operator')
    const other = await context.newPage()
    await other.goto(at('/cms/project/list'))
    await other.getByRole('button', { name: 'Your account' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/auth\/login/)
    await signInAs(other, server.url, 'viewer')
    await page.getByRole('button', { name: 'Your account' }).click()
    await expect(page.getByText('viewer', { exact: true }).first()).toBeVisible()
  })
})

test('the bell tells at once, keeps what it told, and lets it be read one by one or all', async ({
  page,
}) => {
  const { id } = await server.as('viewer', 'bella')
  const tell = (
    campaign: string,
    about: string,
    as: 'item.uncertain' | 'campaign.stalled' = 'item.uncertain',
  ) =>
    server.deps.db.transaction((tx) =>
      notify(tx, id, {
        kind: as,
        params: { campaign },
        about: { feature: 'campaigns', id: about },
      }),
    )
  await enterAs(page, server, 'bella')
  await expect(page.getByRole('button', { name: /^Live connection: Live$/ })).toBeVisible()
  await server.deps.pool.query('delete from notification where user_id = $1', [id])
  await tell('Spring', 'a')
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await expect(page.getByText('Items wait for your decision: Spring')).toBeVisible()
  await tell('Spring', 'a')
  await tell('Summer', 'b')
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  const drawer = page.getByRole('dialog', { name: 'Notifications' })
  await expect(drawer.getByRole('listitem')).toHaveCount(2)
  await expect(drawer.getByText('×2')).toBeVisible()
  await drawer.getByRole('button', { name: 'Mark as read: Items wait for your decision: Summer' }).click()
  await expect(drawer.getByRole('listitem')).toHaveCount(1)
  await drawer.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(drawer.getByText('Nothing to tell')).toBeVisible()
  await drawer.getByText('All', { exact: true }).click()
  await expect(drawer.getByRole('listitem')).toHaveCount(2)
  await drawer.getByRole('button', { name: 'What to tell me' }).click()
  const kind = page.getByRole('dialog', { name: 'What to tell me' }).getByLabel('Items that need a decision')
  await kind.click()
  await expect(kind).not.toBeChecked()
  await expect
    .poll(async () => (await (await server.as('viewer', 'bella')).api(notifications).muted({})).kinds)
    .toEqual(['item.uncertain'])
  await tell('Autumn', 'c')
  await tell('Winter', 'd', 'campaign.stalled')
  await page.reload()
  // What may be told is; what may not is neither counted nor listed.
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await expect(drawer.getByText('Winter')).toBeVisible()
  await expect(drawer.getByText('Autumn')).toBeHidden()
})

test('an administrator looks on as somebody, sees theirs, changes nothing, and stops', async ({ page }) => {
  const person = await server.as('operator', 'olga')
  await signInAs(page, server.url, 'administrator')
  await page.goto(at(`/cms/user/info/${person.id}`))
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'View as' }).click()
  const dialog = page.getByRole('dialog', { name: 'View as olga' })
  await dialog.getByLabel('Reason').fill('She cannot find her project')
  await dialog.getByRole('button', { name: 'View as' }).click()
  await expect(page).toHaveURL(at('/dashboard'))
  const banner = page.getByText(
    'You are viewing as olga (She cannot find her project). Nothing can be changed.',
  )
  await expect(banner).toBeVisible()
  await page.goto(at('/cms/project/list/new'))
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Not mine to make')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await expect(
    page.getByText('You are looking on as somebody else; nothing can be changed.').first(),
  ).toBeVisible()
  await page.goto(at('/dashboard'))
  await expect(banner).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByText('administrator', { exact: true }).first()).toBeVisible()
})
