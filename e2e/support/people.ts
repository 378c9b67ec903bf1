import { expect, type BrowserContext, type Page } from '@playwright/test'
import { TEST_PASSWORD } from '../../apps/server/src/testing/people.ts'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { startTestServer, type TestServer } from '../../apps/server/src/testing/server.ts'

/** A server with the built console, for pages whose state a test sets up behind their back. */
export async function serverWithConsole(): Promise<TestServer> {
  const port = await freePort()
  const folder = process.env['WEFT_CONSOLE']
  return startTestServer({
    port,
    settings: { publicUrl: `http://127.0.0.1:${port}` },
    ...(folder === undefined ? {} : { consoleFolder: folder }),
  })
}

/** Signs in by the page, as a person does. */
export async function signInAs(page: Page, url: string, name: string, path = '/login'): Promise<void> {
  await page.goto(url + path)
  await page.getByLabel('Username or e-mail').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
}

/** Is somebody at once, by a token and without the cookies of a sign-in: for what is not about signing in. */
export async function enterAs(
  page: Page,
  server: TestServer,
  name: string,
  path = '/dashboard',
): Promise<void> {
  const role = name === 'administrator' || name === 'operator' ? name : 'viewer'
  const { token } = await server.as(role, name)
  const expiresAt = new Date(Date.now() + 600_000).toISOString()
  // A page of the console that runs nothing.
  await page.goto(`${server.url}/favicon.svg`)
  await page.evaluate(
    (kept) => localStorage.setItem('Auth::Token::Data', kept),
    Buffer.from(JSON.stringify({ token, expiresAt })).toString('base64'),
  )
  await page.goto(server.url + path)
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible()
}

/** What the page keeps in local storage. */
export function stored(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => Object.fromEntries(Object.entries(localStorage)))
}

/** The preference cookies of a browser, by their names. */
export async function preferenceCookies(context: BrowserContext): Promise<Record<string, string>> {
  const cookies = await context.cookies()
  return Object.fromEntries(
    cookies.filter(({ name }) => name.startsWith('WEFT-')).map(({ name, value }) => [name, value]),
  )
}
