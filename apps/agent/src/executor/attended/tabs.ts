import type { BrowserContext, Page } from 'playwright-core'
import type { FrameMeta } from '@weft/contract/attended-runs/schema'
import { portOf } from '../browser/domains.ts'
import { GATE_HEADER, type Gate } from '../browser/gate.ts'
import type { Screen } from './screen.ts'
import type { Watch } from './watch.ts'

export interface TabsOptions {
  context: BrowserContext
  screen: Screen
  gate: Gate
  /** What the last tab begins with anew when it is closed. */
  home: string
  say: (notice: FrameMeta['notice']) => void
  watch: Watch
  /** Does something after all that the person did so far. */
  inTurn: (work: () => Promise<void>) => void
}

/** The tabs of a browser that a person has in hand: one that opens is shown, one that closes gives way to another. */
export class Tabs {
  readonly #options: TabsOptions
  readonly #openers = new WeakMap<Page, Page>()
  /** It was opened by the person, not by a page. */
  #ownOpening = false
  /** The tab that the person closes just now; others close by themselves. */
  #closing: Page | undefined

  constructor(options: TabsOptions) {
    this.#options = options
  }

  /** Shows the first, and minds all that come. */
  async begin(first: Page): Promise<void> {
    const { context, screen } = this.#options
    context.on('page', (page) => {
      this.#mind(page)
      void this.#learnOpener(page)
      if (!this.#ownOpening) this.#wentTo(page)
      this.#show(page)
    })
    this.#mind(first)
    await screen.show(context, first)
  }

  async open(): Promise<void> {
    await this.#options.watch.recorder?.openedTab()
    await this.#newPage()
  }

  async show(index: number): Promise<void> {
    const page = this.#options.context.pages()[index]
    if (!page || page === this.#options.screen.page) return
    await this.#options.watch.recorder?.wentTo(page, this.#options.context.pages())
    this.#show(page)
  }

  async close(): Promise<void> {
    const { context, screen, watch } = this.#options
    const { page } = screen
    if (!page) return
    const next = this.#nextOf(page)
    if (next) await watch.recorder?.wentTo(next, context.pages(), page)
    this.#closing = page
    await page.close({ runBeforeUnload: false }).catch(() => undefined)
    this.#closing = undefined
  }

  #show(page: Page): void {
    const { context, screen, watch } = this.#options
    watch.turned()
    void screen.show(context, page).catch(() => undefined)
  }

  /** A tab that opened or closed by itself leads to another: that is written down after what led to it. */
  #wentTo(page: Page): void {
    const { context, watch, inTurn } = this.#options
    inTurn(async () => {
      const pages = context.pages()
      // It may be gone again.
      if (pages.includes(page)) await watch.recorder?.wentTo(page, pages)
    })
  }

  /** What is shown when a tab closes: the one that opened it, or the newest. */
  #nextOf(page: Page): Page | undefined {
    const left = this.#options.context.pages().filter((one) => one !== page)
    const opener = this.#openers.get(page)
    return opener && left.includes(opener) ? opener : left.at(-1)
  }

  async #learnOpener(page: Page): Promise<void> {
    const opener = await page.opener().catch(() => null)
    if (opener) this.#openers.set(page, opener)
  }

  async #newPage(): Promise<Page | undefined> {
    this.#ownOpening = true
    try {
      return await this.#options.context.newPage()
    } catch {
      // The browser is being closed.
      return undefined
    } finally {
      this.#ownOpening = false
    }
  }

  #closed(page: Page): void {
    const { screen, watch, home, inTurn } = this.#options
    // Another one than the one that is shown: only their number changes.
    if (screen.page) return screen.refresh()
    const next = this.#nextOf(page)
    if (next) {
      if (this.#closing !== page) this.#wentTo(next)
      return this.#show(next)
    }
    inTurn(async () => watch.opened(home))
    void this.#newPage()
      .then((blank) => blank?.goto(home))
      .catch(() => undefined)
  }

  #mind(page: Page): void {
    const { gate, say, watch } = this.#options
    page.on('crash', () => say('crashed'))
    page.on('filechooser', (chooser) => watch.asksForFiles(chooser))
    page.on('close', () => this.#closed(page))
    page.on('framenavigated', (frame) => watch.arrived(page, frame))
    page.on('response', (response) => {
      if (response.frame() !== page.mainFrame() || !response.request().isNavigationRequest()) return
      say(response.headers()[GATE_HEADER] === 'domain' ? 'refused' : null)
    })
    page.on('requestfailed', (request) => {
      if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
      if (request.failure()?.errorText === 'net::ERR_ABORTED') return
      const asked = new URL(request.url())
      const refused = gate.hasRefused(`${asked.hostname}:${portOf(asked)}`)
      say(refused ? 'refused' : 'unreachable')
    })
  }
}
