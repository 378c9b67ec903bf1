import { expect, type Download, type Locator, type Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'

/** An entry of the navigation, which may say how many questions are open. */
const entryOf = (words: string) => new RegExp(`^${words}( \\d+ open questions?)?$`)

/** The console as somebody uses it: by its words, with mouse and keyboard. */
export class Console {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Goes where an entry of the navigation leads; `group` is the word that it is under. */
  async go(group: string, entry: string): Promise<void> {
    const navigation = this.page.getByRole('navigation', { name: 'Main' })
    // The menu opens under the pointer and closes when it strays: who misses the entry tries again.
    await expect(async () => {
      await navigation.getByRole('button', { name: entryOf(group) }).hover()
      await this.page.getByRole('menuitem', { name: entryOf(entry) }).click({ timeout: 3000 })
    }).toPass()
    await expect(this.page).toHaveTitle(`[WEFT] - ${entry}`)
  }

  heading(words: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name: words })
  }

  button(words: string | RegExp): Locator {
    return this.page.getByRole('button', { name: words, exact: typeof words === 'string' })
  }

  tab(words: string | RegExp): Locator {
    return this.page.getByRole('tab', { name: words })
  }

  dialog(words: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name: words })
  }

  /** The row of a table that holds a text. */
  row(words: string | RegExp): Locator {
    return this.page.getByRole('table').getByRole('row').filter({ hasText: words })
  }

  /** What a record's page says beside a word. */
  fact(label: string): Locator {
    return this.page
      .locator('dl > div')
      .filter({ has: this.page.locator('dt').getByText(label, { exact: true }) })
      .locator('dd')
  }

  /** A value that a run gave, by its name. */
  value(name: string): Locator {
    return this.page
      .getByRole('listitem')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .locator('bdi')
  }

  /** How many items the bar's legend counts in a state; one without items has no entry there. */
  async count(state: string): Promise<number> {
    const entry = this.page.locator('button[aria-pressed]').filter({ hasText: state })
    if ((await entry.count()) === 0) return 0
    return Number(/\d+/.exec(await entry.innerText())?.[0])
  }

  /** Chooses from the menu at the end of a row. */
  async rowAction(row: Locator, action: string): Promise<void> {
    await row.getByRole('button', { name: /^Actions for / }).click()
    await this.page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  /** Chooses from the menu beside a page's title. */
  async pageAction(action: string): Promise<void> {
    await this.button('More actions').click()
    await this.page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  /** Attaches or detaches one resource in the open set of a campaign's editor. */
  async attach(name: string, action: 'Attach' | 'Detach'): Promise<void> {
    await this.rowAction(this.row(name), action)
    await expect(this.row(name)).toContainText(action === 'Attach' ? 'Attached' : 'Not attached')
  }

  /** Says yes to "Are you sure?". */
  async agree(action: string): Promise<void> {
    const question = this.page.getByRole('dialog', { name: 'Are you sure?' })
    await question.getByRole('button', { name: action, exact: true }).click()
    await expect(question).toBeHidden()
  }

  /** The bytes that a click saves to disk, with the name they have there. */
  async saved(click: () => Promise<void>): Promise<{ name: string; path: string; bytes: Buffer }> {
    const [download]: [Download, void] = await Promise.all([this.page.waitForEvent('download'), click()])
    const path = await download.path()
    return { name: download.suggestedFilename(), path, bytes: await readFile(path) }
  }

  /** Leaves a sign on the page that a reload would wipe off. */
  async markLoaded(): Promise<void> {
    await this.page.evaluate(() => document.documentElement.setAttribute('data-loaded-once', ''))
  }

  async expectNotReloaded(): Promise<void> {
    await expect(this.page.locator('html')).toHaveAttribute('data-loaded-once', '')
  }
}
