import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { ADMIN } from './server.ts'

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
      executablePath: process.env['WEFT_BROWSER'] ?? '/usr/bin/chromium',
      viewport: { width: 1440, height: 900 },
      args: [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    return new BenchBrowser(context, context.pages()[0] ?? (await context.newPage()), folder)
  }

  /** Signs in as the administrator of a server that is measured. */
  async signIn(url: string): Promise<void> {
    const { page } = this
    await page.goto(`${url}/auth/login`)
    await page.locator('input[name=username]').fill(ADMIN.username)
    await page.locator('input[name=password]').fill(ADMIN.password)
    await page.locator('button[type=submit]').click()
    await page.waitForURL('**/dashboard')
  }

  async close(): Promise<void> {
    await this.context.close()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
