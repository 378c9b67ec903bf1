import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { ADMIN } from './server.ts'

/** How the measured browser is begun: as the tests do it, reaching nothing by itself. */
export const CHROMIUM = {
  executablePath: process.env['WEFT_BROWSER'] ?? '/usr/bin/chromium',
  args: [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

/** Signs in as the administrator of a server that is measured. */
export async function signInOn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/auth/login`)
  await page.locator('input[name=username]').fill(ADMIN.username)
  await page.locator('input[name=password]').fill(ADMIN.password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/dashboard')
}

/** A browser with one page, as an operator has it. */
export class BenchBrowser {
  readonly context: BrowserContext
  readonly page: Page
  readonly #folder: string

  private constructor(context: BrowserContext, page: Page, folder: string) {
    this.context = context
    this.page = page
    this.#folder = folder
  }

  static async open(): Promise<BenchBrowser> {
    const folder = mkdtempSync(join(tmpdir(), 'weft-browser-'))
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      ...CHROMIUM,
      viewport: { width: 1440, height: 900 },
    })
    return new BenchBrowser(context, context.pages()[0] ?? (await context.newPage()), folder)
  }

  /** Signs in as the administrator. */
  signIn(url: string): Promise<void> {
    return signInOn(this.page, url)
  }

  async close(): Promise<void> {
    await this.context.close()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
