import type { CDPSession, Page } from 'playwright-core'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { webAddress } from '../fetch.ts'
import type { DomainLimits } from '../browser/domains.ts'
import { atMost, within } from '../within.ts'

type Of<T extends AttendInput['type']> = Extract<AttendInput, { type: T }>

export interface HandsOptions {
  page: () => Page | undefined
  cdp: () => CDPSession | undefined
  size: () => { width: number; height: number }
  limits: DomainLimits
  /** Something the person should know. */
  notice: (notice: FrameMeta['notice']) => void
  /** Answers what the page asks. */
  answer: (accept: boolean, text: string | undefined) => void
  /** Opens a tab, shows one, closes the one that is shown. */
  tabs: { open: () => Promise<void>; show: (index: number) => Promise<void>; close: () => Promise<void> }
  /** Sees what is done before and after; says whether it is to be played at all. */
  watch: {
    before: (event: AttendInput, signal: AbortSignal) => Promise<boolean>
    after: (event: AttendInput, signal: AbortSignal) => Promise<void>
    missed: (event: AttendInput) => void
    opened: (url: string) => Promise<void>
  }
}

/** Nobody's press waits longer than this for being looked at. */
const WATCH_MS = 3000
const SETTLE_MS = 1000
/** They are about what is shown, and need not wait for what is done. */
const AT_ONCE: ReadonlySet<AttendInput['type']> = new Set(['answer', 'files', 'point', 'recorded'])

const MOUSE = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased' } as const

/**
 * Plays what a person does, one after another. The page is not waited for: the browser keeps the order, and a page that asks
 * something would hold a wait for ever. What was typed is in no message, not even where it could not be played.
 */
export class Hands {
  readonly #options: HandsOptions
  #turns: Promise<void> = Promise.resolve()
  #sent: Promise<unknown> = Promise.resolve()

  constructor(options: HandsOptions) {
    this.#options = options
  }

  /** Plays some events in their order. */
  play(events: readonly AttendInput[]): void {
    for (const event of events) {
      if (AT_ONCE.has(event.type)) void this.#turn(event)
      else this.#turns = this.#turns.then(() => this.#turn(event))
    }
  }

  /** Looks at something that happened by itself, after all that was played so far. */
  inTurn(work: (signal: AbortSignal) => Promise<void>): void {
    this.#turns = this.#turns.then(() => within(WATCH_MS, work).catch(() => undefined))
  }

  /** Resolves when all that was played has reached the page, or would have to wait for it too long. */
  async settled(): Promise<void> {
    await within(SETTLE_MS, async () => this.#sent).catch(() => undefined)
  }

  async #turn(event: AttendInput): Promise<void> {
    const { watch } = this.#options
    // What cannot be looked at in time is played all the same: the person sees the page and means it.
    const missed = () => {
      watch.missed(event)
      return true
    }
    const plays = await within(WATCH_MS, (signal) => watch.before(event, signal)).catch(missed)
    if (!plays) return
    await this.#one(event)
    await within(WATCH_MS, (signal) => watch.after(event, signal)).catch(missed)
  }

  #one(event: AttendInput): void | Promise<void> {
    switch (event.type) {
      case 'mouse':
        return this.#mouse(event)
      case 'wheel':
        return this.#wheel(event)
      case 'key':
        return this.#key(event)
      case 'text':
        return this.#send('Input.insertText', { text: event.text })
      case 'go':
        return this.#go(event)
      case 'open':
        return this.#open(event)
      case 'closeTab':
        return this.#options.tabs.close()
      case 'newTab':
        return this.#options.tabs.open()
      case 'tab':
        return this.#options.tabs.show(event.index)
      case 'answer':
        return this.#options.answer(event.accept, event.text)
      default:
    }
  }

  #mouse({ action, x, y, button, buttons, clicks, modifiers }: Of<'mouse'>): void {
    this.#send('Input.dispatchMouseEvent', {
      type: MOUSE[action],
      ...this.#place(x, y),
      button,
      buttons,
      clickCount: clicks,
      modifiers,
    })
  }

  #wheel({ x, y, dx, dy, modifiers }: Of<'wheel'>): void {
    this.#send('Input.dispatchMouseEvent', {
      type: 'mouseWheel',
      ...this.#place(x, y),
      deltaX: dx,
      deltaY: dy,
      modifiers,
    })
  }

  #key({ action, key, code, keyCode, text, modifiers }: Of<'key'>): void {
    this.#send('Input.dispatchKeyEvent', {
      type: action === 'up' ? 'keyUp' : text === '' ? 'rawKeyDown' : 'keyDown',
      key,
      code,
      windowsVirtualKeyCode: keyCode,
      modifiers,
      ...(action === 'down' && text !== '' ? { text } : {}),
    })
  }

  async #go({ to }: Of<'go'>): Promise<void> {
    const page = this.#options.page()
    if (!page) return
    const url = to === 'reload' ? page.url() : await this.#beside(to === 'back' ? -1 : 1)
    if (url === undefined) return
    this.#options.notice(null)
    await this.#note(url)
    const how = { waitUntil: 'commit' } as const
    const going = to === 'back' ? page.goBack(how) : to === 'forward' ? page.goForward(how) : page.reload(how)
    going.catch(() => undefined)
  }

  /** The address that was open before this one, or after it; undefined where there is none. */
  async #beside(by: -1 | 1): Promise<string | undefined> {
    const cdp = this.#options.cdp()
    const found =
      cdp && (await atMost(WATCH_MS, cdp.send('Page.getNavigationHistory')).catch(() => undefined))
    return found?.entries[found.currentIndex + by]?.url
  }

  /** The page is not touched before it was looked at: what was typed in it is lost with it. */
  async #note(url: string): Promise<void> {
    await within(WATCH_MS, () => this.#options.watch.opened(url)).catch(() => undefined)
  }

  async #open({ address }: Of<'open'>): Promise<void> {
    const page = this.#options.page()
    if (!page) return
    const url = addressOf(address)
    if (!url) return this.#options.notice('badAddress')
    const { hostname, port, protocol } = url
    if (!this.#options.limits.allows(hostname, Number(port || (protocol === 'https:' ? 443 : 80))))
      return this.#options.notice('refused')
    this.#options.notice(null)
    await this.#note(url.href)
    page.goto(url.href, { waitUntil: 'commit' }).catch(() => undefined)
  }

  #place(x: number, y: number): { x: number; y: number } {
    const { width, height } = this.#options.size()
    return { x: x * width, y: y * height }
  }

  #send(
    method: 'Input.insertText' | 'Input.dispatchMouseEvent' | 'Input.dispatchKeyEvent',
    params: object,
  ): void {
    // The parameters are of the method that is named beside them.
    const send = this.#options.cdp()?.send.bind(this.#options.cdp()) as
      | ((method: string, params: object) => Promise<unknown>)
      | undefined
    this.#sent = send?.(method, params).catch(() => undefined) ?? Promise.resolve()
  }
}

/** What a person writes into an address bar; without a scheme it means https. */
export function addressOf(text: string): URL | undefined {
  try {
    return webAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  } catch {
    return undefined
  }
}
