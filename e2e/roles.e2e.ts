import { expect, test, type Browser, type Page } from '@playwright/test'
import { recovery } from '@weft/contract/access/api'
import { clientOf } from '@weft/contract/core/client'
import { BUILT_IN_ROLES, type Rule } from '@weft/contract/core/permissions'
import type { RouteMeta, RouteNode } from '@weft/contract/system/schema'
import { users } from '@weft/contract/users/api'
import { Weft } from './support/weft.ts'

/** Every page of the console by everybody: who may see it sees it, others see what the guard says, nobody anything else. */
const PASSWORD = 'a password for the walk'

let weft: Weft
let pages: Place[]
let ids: Record<string, string>

/** A page's address and what its routes ask for. */
interface Place {
  path: string
  chain: readonly RouteMeta[]
}

test.use({ trace: 'off' })

test.beforeAll(async () => {
  weft = await Weft.start({ WEFT_LOCAL_AGENT: '0', WEFT_PRACTICE_PORT: '0' })
  const admin = await weft.setUp()
  const people = clientOf(admin.transport, users)
  ids = {}
  for (const role of ['viewer', 'operator'] as const) ids[role] = await invite(people, role, [role])
  ids['suspended'] = await invite(people, 'suspended', ['operator'])
  pages = placesOf((await admin.system.config({})).routes, [])
})

test.afterAll(async () => {
  await weft.stop()
})

async function invite(people: ReturnType<typeof clientOf<typeof users>>, username: string, roles: string[]) {
  const { user, link } = await people.create({ username, roles })
  const token = link.url.split('#token=')[1] ?? ''
  await clientOf({ baseUrl: weft.url }, recovery).reset({
    token,
    newPassword: PASSWORD,
    confirmPassword: PASSWORD,
  })
  return user.id
}

/** The pages of a tree that are inside the console, with the metas that lead to each. */
function placesOf(nodes: readonly RouteNode[], above: readonly RouteMeta[]): Place[] {
  return nodes.flatMap((node) => {
    const chain = [...above, node.meta]
    const own = node.file !== undefined && node.meta.requireAuth ? [{ path: node.path, chain }] : []
    return [...own, ...placesOf(node.children ?? [], chain)]
  })
}

/** Whether built-in rules show a page; written without the console's own deciding. */
function shows(rules: readonly Rule[], { chain }: Place): boolean {
  return chain.every(
    ({ resource, action = 'VIEW' }) =>
      resource === undefined ||
      resource === 'AUTH' ||
      rules.some(
        (rule) =>
          [rule.action].flat().includes(action) &&
          (rule.subject === 'all' || [rule.subject].flat().some((subject) => subject === resource)),
      ),
  )
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/auth/login')
  await page.locator('input[name=username]').fill(username)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'))
}

/** Where somebody ends who opens an address: its page, the sign-in with the way back, or the page that says no. */
async function landing(page: Page, path: string): Promise<string> {
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  const url = new URL(page.url())
  if (url.pathname === '/auth/login')
    return url.searchParams.get('nextUrl') === path
      ? 'sign-in'
      : `sign-in without the way back (${url.search})`
  return url.pathname.startsWith('/error/') ? url.pathname.slice('/error/'.length) : 'shown'
}

async function walk(
  browser: Browser,
  who: string | null,
  expected: (place: Place) => string,
): Promise<string[]> {
  const context = await browser.newContext({ baseURL: weft.url })
  const page = await context.newPage()
  if (who !== null) await signIn(page, who)
  const wrong: string[] = []
  for (const place of pages) {
    const found = await landing(page, place.path)
    const wanted = expected(place)
    if (found !== wanted) wrong.push(`${who ?? 'a visitor'} at ${place.path}: ${found} instead of ${wanted}`)
  }
  await context.close()
  return wrong
}

test('a visitor is sent to sign in, and back to where they wanted to go', async ({ browser }) => {
  expect(pages.length).toBeGreaterThan(15)
  expect(await walk(browser, null, () => 'sign-in')).toEqual([])
})

// That an administrator is shown every page is seen where every page is looked at.
for (const role of ['viewer', 'operator'] as const)
  test(`every page by ${role}`, async ({ browser }) => {
    const rules = BUILT_IN_ROLES[role]
    // Addresses that need a record lead to their list, which is a page that is shown.
    expect(await walk(browser, role, (place) => (shows(rules, place) ? 'shown' : '403'))).toEqual([])
  })

test('somebody who is suspended while a page is open is put out within ten seconds', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: weft.url })
  const page = await context.newPage()
  await signIn(page, 'suspended')
  await page.goto('/cms/campaign/list')
  await page.locator('h1').first().waitFor()
  const people = clientOf((await weft.signIn()).transport, users)
  await people.suspend({ id: ids['suspended'] ?? '' })
  // The server's part has five seconds, which its own tests hold it to; the page has as much again.
  await page.waitForURL((url) => url.pathname === '/auth/login', { timeout: 10_000 })
  expect(await page.evaluate(() => localStorage.getItem('Auth::Token::Data'))).toBeNull()
  await context.close()
})
