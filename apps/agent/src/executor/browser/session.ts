import type { BrowserContext, BrowserContextOptions, Dialog, Download, Page } from 'playwright-core'
import type { Job } from '@weft/contract/agents/jobs'
import { StepError } from '@weft/workflow/errors'
import type { Browser } from '../../machine/browsers.ts'
import { GATE_HEADER, type Gate } from './gate.ts'
import { chooseBrowser, type WarmBrowser } from './launch.ts'
import { portOf } from './domains.ts'

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** One open tab, and what happened in it that a step has to know. */
export interface Tab {
  page: Page
  name: string | null
  /** Host of a navigation that was refused, until a step has failed by it. */
  refused: string | null
  crashed: boolean
  /** Status of the last page that was navigated to. */
  status: number | null
  /** A step waits for a download; others are not taken. */
  expectsDownload: boolean
}

interface Lane {
  tabs: Tab[]
  current: Tab
}

export interface SessionOptions {
  warm: WarmBrowser
  browsers: readonly Browser[]
  job: Job
  gate: Gate
  /** What the profile holds from earlier runs. */
  storageState: () => Promise<StorageState | undefined>
  trace: boolean
  note: (text: string) => void
  /** Somebody answers what pages ask; without it every question is declined and noted. */
  onDialog?: (dialog: Dialog) => void
  /** Does something with the first page before any step has it. */
  firstPage?: (page: Page) => Promise<void>
  /** A page offered a file, which is not taken; without it that is noted. */
  onDownload?: () => void
}

const DESKTOP = { width: 1280, height: 800 }
const ACTION_MS = 30_000

/**
 * The browser as one run sees it: a context of its own that nothing of other runs is in, opened when the first step needs
 * it. Each lane of parallel steps has its own current tab.
 */
export class BrowserSession {
  readonly #options: SessionOptions
  readonly #lanes = new Map<string, Lane>()
  #opening: Promise<BrowserContext> | undefined
  #context: BrowserContext | undefined
  #version: string | null = null
  #ownPages = 0

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** The open context, if any step has needed one. */
  get context(): BrowserContext | undefined {
    return this.#context
  }

  /** Which browser it is, for the run's record. */
  get version(): string | null {
    return this.#version
  }

  /** The current tab of a lane. */
  async tab(lane: string): Promise<Tab> {
    const context = await this.#open()
    const known = this.#lanes.get(lane)
    if (known && isUsable(known.current)) return known.current
    const left = known?.tabs.findLast(isUsable)
    if (known && left) {
      known.current = left
      return left
    }
    const isFirst = this.#lanes.size === 0
    const tab = this.#tabOf(lane, await this.#newPage(context))
    if (isFirst) await this.#options.firstPage?.(tab.page)
    return tab
  }

  /** The tabs of a lane, in the order of their opening. */
  tabs(lane: string): Tab[] {
    return this.#lanes.get(lane)?.tabs.filter(({ page }) => !page.isClosed()) ?? []
  }

  /** Opens another tab and works in it from then on. */
  async openTab(lane: string, name: string | null): Promise<Tab> {
    const context = await this.#open()
    const tab = this.#tabOf(lane, await this.#newPage(context))
    tab.name = name
    return tab
  }

  /** Works in this tab from then on. */
  switchTo(lane: string, tab: Tab): void {
    const known = this.#lanes.get(lane)
    if (known) known.current = tab
  }

  /** The current tab, if there is one; opens nothing. */
  peek(lane: string): Tab | undefined {
    const current = this.#lanes.get(lane)?.current
    return current && !current.page.isClosed() ? current : undefined
  }

  /** Any tab that is open, for a picture when nothing better is known. */
  anyTab(): Tab | undefined {
    return [...this.#lanes.values()].map(({ current }) => current).find(({ page }) => !page.isClosed())
  }

  async close(): Promise<void> {
    await this.#context?.close()
    this.#context = undefined
  }

  #open(): Promise<BrowserContext> {
    this.#opening ??= this.#begin().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #begin(): Promise<BrowserContext> {
    const { warm, browsers, job, storageState, trace } = this.#options
    const browser = await warm.open(chooseBrowser(browsers, job.profile?.browserType ?? null))
    this.#version = `${browser.browserType().name()} ${browser.version()}`
    const context = await browser.newContext({
      ...this.#contextOptions(),
      storageState: await storageState(),
    })
    context.setDefaultTimeout(ACTION_MS)
    context.on('page', (page) => void this.#adopt(page))
    context.on('close', () => {
      if (this.#context !== context) return
      // The browser is gone; a step that comes later may begin with a fresh one.
      this.#context = undefined
      this.#opening = undefined
      this.#lanes.clear()
    })
    if (trace) await context.tracing.start({ screenshots: true, snapshots: true })
    this.#context = context
    return context
  }

  #contextOptions(): BrowserContextOptions {
    const { job, gate } = this.#options
    const device = job.profile?.device
    return {
      acceptDownloads: true,
      proxy: { server: gate.url },
      viewport: device?.viewport ?? DESKTOP,
      ...(job.profile?.locale ? { locale: job.profile.locale } : {}),
      ...(job.profile?.timeZone ? { timezoneId: job.profile.timeZone } : {}),
      ...(device ? { deviceScaleFactor: device.scale, hasTouch: device.touch } : {}),
      // Firefox has no such mode.
      ...(device && job.profile?.browserType !== 'firefox' ? { isMobile: device.mobile } : {}),
      ...(device?.userAgent ? { userAgent: device.userAgent } : {}),
      ...(device?.colorScheme ? { colorScheme: device.colorScheme } : {}),
    }
  }

  async #newPage(context: BrowserContext): Promise<Page> {
    this.#ownPages += 1
    try {
      return await context.newPage()
    } finally {
      this.#ownPages -= 1
    }
  }

  /** A tab that a page opened belongs to the lane of its opener; work stays where it was. */
  async #adopt(page: Page): Promise<void> {
    const own = this.#ownPages > 0
    const opener = await page.opener()
    if (own && !opener) return
    // A link may hide where it was clicked; then the tab goes to whoever looks for it.
    const lanes = [...this.#lanes.values()]
    const home = lanes.find(({ tabs }) => tabs.some((tab) => tab.page === opener)) ?? lanes[0]
    home?.tabs.push(this.#watch(page))
  }

  #tabOf(lane: string, page: Page): Tab {
    const tab = this.#watch(page)
    const known = this.#lanes.get(lane)
    if (known) {
      known.tabs.push(tab)
      known.current = tab
    } else this.#lanes.set(lane, { tabs: [tab], current: tab })
    return tab
  }

  #watch(page: Page): Tab {
    const { gate, note, onDialog, onDownload } = this.#options
    const tab: Tab = { page, name: null, refused: null, crashed: false, status: null, expectsDownload: false }
    page.on('crash', () => {
      tab.crashed = true
    })
    page.on('response', (response) => {
      if (!response.request().isNavigationRequest() || response.frame() !== page.mainFrame()) return
      const status = response.status()
      if (status < 300 || status >= 400) tab.status = status
      if (response.headers()[GATE_HEADER] === 'domain') tab.refused = new URL(response.url()).host
    })
    page.on('requestfailed', (request) => {
      if (!request.isNavigationRequest()) return
      const url = new URL(request.url())
      if (gate.hasRefused(`${url.hostname}:${portOf(url)}`) && request.frame() === page.mainFrame())
        tab.refused = url.host
    })
    page.on('download', (download: Download) => {
      if (tab.expectsDownload) return
      if (onDownload) onDownload()
      else note('The page offered a file that no step asked for; it was not taken.')
      void download.cancel()
    })
    page.on('dialog', (dialog) => {
      if (onDialog) return onDialog(dialog)
      note(`The page showed a ${dialog.type()}; it was closed: ${dialog.message().slice(0, 500)}`)
      void dialog.dismiss().catch(() => undefined)
    })
    return tab
  }
}

const isUsable = ({ page, crashed }: Tab) => !crashed && !page.isClosed()

/** The failure that a tab's own troubles amount to, if it has any. */
export function troubleOf(tab: Tab): StepError | undefined {
  if (tab.crashed) return new StepError('BrowserCrashed', 'The browser ended unexpectedly.')
  const { refused } = tab
  if (refused === null) return undefined
  tab.refused = null
  return new StepError(
    'DomainNotAllowed',
    `The page went to ${refused}, which is not among the allowed domains.`,
    {
      params: { host: refused },
    },
  )
}
