import type { CDPSession, Page } from 'playwright-core'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { webAddress } from '../fetch.ts'
import type { DomainLimits } from '../browser/domains.ts'

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
}

const MOUSE = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased' } as const

/**
 * Plays what a person does. Nothing is waited for: the browser keeps the order, and a page that asks something would hold a
 * wait for ever. What was typed is in no message, not even where it could not be played.
 */
export class Hands {
  readonly #options: HandsOptions

  constructor(options: HandsOptions) {
    this.#options = options
  }

  /** Plays some events in their order. */
  play(events: readonly AttendInput[]): void {
    for (const event of events) this.#one(event)
  }

  #one(event: AttendInput): void {
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
        void this.#options
          .page()
          ?.close({ runBeforeUnload: false })
          .catch(() => undefined)
        return
      case 'answer':
        return this.#options.answer(event.accept, event.text)
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

  #go({ to }: Of<'go'>): void {
    const page = this.#options.page()
    if (!page) return
    this.#options.notice(null)
    const how = { waitUntil: 'commit' } as const
    const going = to === 'back' ? page.goBack(how) : to === 'forward' ? page.goForward(how) : page.reload(how)
    going.catch(() => undefined)
  }

  #open({ address }: Of<'open'>): void {
    const page = this.#options.page()
    if (!page) return
    const url = addressOf(address)
    if (!url) return this.#options.notice('badAddress')
    const { hostname, port, protocol } = url
    if (!this.#options.limits.allows(hostname, Number(port || (protocol === 'https:' ? 443 : 80))))
      return this.#options.notice('refused')
    this.#options.notice(null)
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
    send?.(method, params).catch(() => undefined)
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
