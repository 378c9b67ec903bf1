import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  FRAME_MAX_BYTES,
  FRAME_META_MAX_BYTES,
  FRAME_SIZE,
  type FrameMeta,
} from '@weft/contract/attended-runs/schema'

/** What Chromium says of a picture. */
interface Shot {
  jpeg: Buffer
  width: number
  height: number
  /** Tells Chromium that it was taken, and that the next may come. */
  taken: () => void
}

/** What is said with a picture that the picture's taking does not know. */
export type Said = Omit<FrameMeta, 'number' | 'width' | 'height' | 'url' | 'title' | 'tabs' | 'tab'>

export interface ScreenOptions {
  /** Brings one picture to the server; resolves when it is there, and says whether somebody looks. */
  send: (meta: FrameMeta, jpeg: Buffer) => Promise<{ wanted: boolean }>
  said: () => Said
}

const LEAST_MS = 100
const AFTER_FAILURE_MS = 1000
const UNWANTED_MS = 2000
const QUALITY = { good: 60, small: 30 }

/**
 * Shows one tab: pictures of it go to the server one at a time, and Chromium makes the next only when the last was taken, so
 * a slow line means fewer pictures and never a queue of old ones.
 */
export class Screen {
  readonly #options: ScreenOptions
  readonly #minded = new WeakSet<Page>()
  #page: Page | undefined
  #shows = 0
  #cdp: CDPSession | undefined
  #next: Shot | undefined
  #last: Shot | undefined
  #number = 0
  #quality = QUALITY.good
  #title = ''
  #pumping = false
  #ended = false
  #stale = false

  constructor(options: ScreenOptions) {
    this.#options = options
  }

  /** The tab that is shown. */
  get page(): Page | undefined {
    return this.#page && !this.#page.isClosed() ? this.#page : undefined
  }

  /** The line to that tab's browser, for input. */
  get cdp(): CDPSession | undefined {
    return this.page ? this.#cdp : undefined
  }

  /** The size of the page in its own pixels. */
  get size(): { width: number; height: number } {
    return { width: this.#last?.width ?? 1, height: this.#last?.height ?? 1 }
  }

  /** Shows another tab from now on. */
  async show(context: BrowserContext, page: Page): Promise<void> {
    this.#shows += 1
    const turn = this.#shows
    const cdp = await context.newCDPSession(page)
    // Another tab was to be shown meanwhile.
    if (turn !== this.#shows) return void cdp.detach().catch(() => undefined)
    const before = this.#cdp
    this.#page = page
    this.#cdp = cdp
    this.#title = ''
    before?.detach().catch(() => undefined)
    this.#mind(page)
    cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      const taken = () => void cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined)
      if (this.#cdp !== cdp || this.#ended) return
      // One that was not sent yet is overtaken.
      this.#next?.taken()
      this.#next = {
        jpeg: Buffer.from(data, 'base64'),
        width: Math.round(metadata.deviceWidth),
        height: Math.round(metadata.deviceHeight),
        taken,
      }
      void this.#pump()
    })
    await page.bringToFront().catch(() => undefined)
    await this.#cast(cdp)
    void this.#readTitle(page)
  }

  #mind(page: Page): void {
    if (this.#minded.has(page)) return
    this.#minded.add(page)
    page.on('load', () => void this.#readTitle(page))
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && this.#page === page) this.refresh()
    })
  }

  /** What is said of the page changed: it is told with the picture that there is. */
  refresh(): void {
    this.#stale = true
    void this.#pump()
  }

  /** No more pictures. */
  end(): void {
    this.#ended = true
  }

  async #cast(cdp: CDPSession): Promise<void> {
    await cdp.send('Page.startScreencast', {
      format: 'jpeg',
      quality: this.#quality,
      maxWidth: FRAME_SIZE.width,
      maxHeight: FRAME_SIZE.height,
      everyNthFrame: 1,
    })
  }

  async #readTitle(page: Page): Promise<void> {
    try {
      const title = (await page.title()).slice(0, 300)
      if (this.#page !== page || title === this.#title) return
      this.#title = title
      this.refresh()
    } catch {
      // The page went on meanwhile; its next load tells.
    }
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    while (!this.#ended && (this.#next ?? (this.#stale ? this.#last : undefined))) {
      const shot = this.#next ?? this.#last
      if (!shot) break
      const fresh = shot === this.#next
      this.#next = undefined
      this.#stale = false
      this.#last = shot
      const began = performance.now()
      const pauseMs = await this.#deliver(shot)
      if (fresh) shot.taken()
      await sleep(Math.max(0, pauseMs - (performance.now() - began)))
    }
    this.#pumping = false
  }

  /** Sends one picture; gives the least time from it to the next. */
  async #deliver(shot: Shot): Promise<number> {
    const { page } = this
    if (shot.jpeg.length > FRAME_MAX_BYTES - FRAME_META_MAX_BYTES) {
      this.#quality = QUALITY.small
      if (this.#cdp) await this.#cast(this.#cdp).catch(() => undefined)
      return LEAST_MS
    }
    this.#number += 1
    try {
      const url = page?.url() ?? ''
      const { wanted } = await this.#options.send(
        {
          number: this.#number,
          width: Math.min(4096, Math.max(1, shot.width)),
          height: Math.min(4096, Math.max(1, shot.height)),
          url: url === 'about:blank' ? '' : url.slice(0, 2000),
          title: this.#title,
          tabs: page?.context().pages().length ?? 0,
          tab: page ? Math.max(0, page.context().pages().indexOf(page)) : 0,
          ...this.#options.said(),
        },
        shot.jpeg,
      )
      return wanted ? LEAST_MS : UNWANTED_MS
    } catch {
      // The server was not there for a moment; the next picture makes up for it.
      return AFTER_FAILURE_MS
    }
  }
}
