import type { CDPSession, Page } from 'playwright-core'
import type { AttendInput } from '@weft/contract/attended-runs/schema'
import type { Recorded, Recording } from '@weft/contract/attended-runs/watched'
import { elementAt, focusedElement, isFocusHidden, isHiddenAt, pressableOf, type Found } from './element.ts'
import { literal, targetsOf, type Told } from './targets-of.ts'
import { FileSteps } from './file-steps.ts'
import { readKey, type Pressed } from './read-key.ts'
import { Recordings } from './recording.ts'
import { TabSteps } from './tab-steps.ts'
import { TARGETS_MOST, Typing } from './typing.ts'

type Of<T extends AttendInput['type']> = Extract<AttendInput, { type: T }>
type State = Recorded['state']

/** What is moved further than this between press and release was dragged, in pixels. */
const DRAG_PX = 8
/** A page that follows so soon was led to by the click before it. */
const LED_MS = 2000

/** A press that has not been released yet. */
interface Press {
  found: Found
  told: Told
  x: number
  y: number
}

export interface RecorderOptions {
  page: () => Page | undefined
  size: () => { width: number; height: number }
  cdp: () => CDPSession | undefined
  changed: () => void
  /** All that was played so far has reached the page. */
  settled: () => Promise<void>
}

/**
 * Makes steps of what a person does. It listens to nothing within pages: whatever is done comes by here on its way to the
 * browser, so the element is looked at just before, while it is still there, and the page cannot tell.
 */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #recordings = new Recordings()
  readonly #typing: Typing
  readonly #tabs: TabSteps
  readonly #files = new FileSteps(this.#recordings)
  #press: Press | undefined
  /** The click whose consequences may still come. */
  #clicked: { id: number; state: State; page: Page; at: number } | undefined

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#typing = new Typing(this.#recordings, options.changed)
    this.#tabs = new TabSteps(this.#recordings, options.changed)
  }

  /** What is told of it with a picture. */
  get told(): Recording {
    return this.#recordings.told
  }

  /** The console has what was recorded as far as this. */
  known(upTo: number): void {
    this.#recordings.known(upTo)
    if (this.#recordings.told.news.length > 0) this.#options.changed()
  }

  /** Goes on or stops for a while; what is under way is finished first. */
  async turn(on: boolean): Promise<void> {
    await this.#typing.end()
    this.#press = undefined
    this.#clicked = undefined
    this.#files.pressed(undefined)
    this.#recordings.on = on
    this.#options.changed()
  }

  /** Looks at what is about to happen. Once the signal is given, nothing of it is written down any more. */
  async before(event: AttendInput, signal: AbortSignal): Promise<void> {
    if (!this.#recordings.on) return
    try {
      await this.#look(event, signal)
    } catch {
      signal.throwIfAborted()
      // A page that goes on in the midst answers nothing; the one that came is asked once.
      await this.#look(event, signal)
    }
  }

  async #look(event: AttendInput, signal: AbortSignal): Promise<void> {
    if (event.type === 'mouse' && event.action === 'down') await this.#pressed(event, signal)
    else if (event.type === 'key' && event.action === 'down') await this.#keyed(event, signal)
    else if (event.type === 'text') await this.#written(event.text, signal)
  }

  /** Something was played. */
  async after(event: AttendInput, signal: AbortSignal): Promise<void> {
    if (this.#recordings.on && event.type === 'mouse' && event.action === 'up')
      await this.#released(event, signal)
  }

  /** Something was done that the page did not let be looked at. */
  missed(event: AttendInput): void {
    if (!this.#recordings.on) return
    const { type } = event
    const acts =
      type === 'text' ||
      type === 'choose' ||
      (type === 'mouse' && event.action !== 'move') ||
      (type === 'key' && event.action === 'down' && readKey(event) !== undefined)
    this.#press = undefined
    if (acts) this.#addLost('noAnswer', '')
  }

  /** An address was opened, by the person or at the beginning. */
  async opened(url: string): Promise<void> {
    if (!this.#recordings.on) return
    await this.#typing.end()
    const { last } = this.#recordings
    const state = { url: literal(url) }
    if (last?.type === 'open-page' || (last?.type === 'open-tab' && last.state['url'] === undefined))
      this.#recordings.change(last.id, state)
    else this.#add('open-page', state, '')
    this.#options.changed()
  }

  /** A page came. Where a click led to it, the click waits for it. */
  arrived(page: Page): void {
    this.#tabs.arrived(page)
    const clicked = this.#clicked
    if (!clicked || clicked.page !== page || performance.now() - clicked.at > LED_MS) return
    if (this.#recordings.last?.id !== clicked.id) return
    this.#clicked = undefined
    this.#recordings.change(clicked.id, { ...clicked.state, waitForNavigation: true })
    this.#options.changed()
  }

  /** Another tab is worked in from now on: one that opened by itself, or was chosen; perhaps in place of one that is about to close. */
  async wentTo(page: Page, pages: readonly Page[], closing?: Page): Promise<void> {
    if (!this.#recordings.on) return
    await this.#typing.end()
    this.#clicked = undefined
    await this.#tabs.wentTo(page, pages, closing)
  }

  /** The page asks for files: the press that led to it leads to no other page. */
  askedForFiles(): void {
    if (!this.#recordings.on) return
    if (this.#files.asked() === this.#clicked?.id) this.#clicked = undefined
  }

  /** The person chose files, and the page has them. */
  gaveFiles(count: number): void {
    if (!this.#recordings.on) return
    this.#files.given(count)
    this.#options.changed()
  }

  async openedTab(): Promise<void> {
    if (!this.#recordings.on) return
    await this.#typing.end()
    this.#add('open-tab', {}, '')
  }

  /** A question of the page is agreed to; runs decline all of them. */
  answered(): void {
    if (this.#recordings.on) this.#addLost('dialog', '')
  }

  /** An option is about to be chosen in a drop-down list; gives what writes it down once it is. */
  async choosing(found: Found, signal: AbortSignal): Promise<() => Promise<void>> {
    const page = this.#options.page()
    if (!this.#recordings.on || !page) return () => Promise.resolve()
    await this.#typing.end()
    const told = await targetsOf(page, found)
    signal.throwIfAborted()
    if (told.problem) {
      this.#addLost(told.problem, told.facts.label)
      return () => Promise.resolve()
    }
    await this.#typing.begin(found, told, signal)
    return () => this.#typing.end()
  }

  async #pressed({ x, y }: Of<'mouse'>, signal: AbortSignal): Promise<void> {
    const { page, size, settled } = this.#options
    const shown = page()
    this.#press = undefined
    this.#files.pressed(undefined)
    if (!shown) return
    await settled()
    const { width, height } = size()
    const at = { x: x * width, y: y * height }
    const there = await elementAt(shown, at)
    const found = there && (await pressableOf(there))
    const isIn = await this.#typing.isIn(found)
    signal.throwIfAborted()
    if (!isIn) await this.#typing.end()
    if (!found) return
    const told = await targetsOf(shown, found)
    const cdp = this.#options.cdp()
    const hidden = cdp !== undefined && found.frames.length === 0 && (await isHiddenAt(shown, cdp, at))
    signal.throwIfAborted()
    this.#press = { found, told: hidden ? { ...told, problem: 'closed' } : told, ...at }
  }

  async #released({ x, y, button, clicks }: Of<'mouse'>, signal: AbortSignal): Promise<void> {
    const press = this.#press
    const page = this.#options.page()
    this.#press = undefined
    if (!press || !page) return
    const { width, height } = this.#options.size()
    const { found, told } = press
    const { kind, label, radio, ticked } = told.facts
    if (told.problem) return this.#addLost(told.problem, label)
    if (kind === 'text' || kind === 'choice') {
      // What is chosen or drawn there is read when they go on; the press itself only leads there.
      if (button === 'left' && !(await this.#typing.isIn(found)))
        await this.#typing.begin(found, told, signal)
      return
    }
    if (Math.hypot(x * width - press.x, y * height - press.y) > DRAG_PX) return this.#addLost('drag', label)
    const targets = targetsFor(told)
    // Nothing is done before a file is chosen.
    if (kind === 'file') return this.#files.pressed({ id: null, targets, label })
    if (kind === 'tick' && button === 'left') {
      this.#add('select', { targets, by: 'checked', checked: radio || !ticked }, label)
      return
    }
    const state = {
      targets,
      ...(button === 'right' || button === 'middle' ? { button } : {}),
      ...(clicks > 1 ? { clicks } : {}),
    }
    const { last } = this.#recordings
    const again = clicks > 1 && last?.type === 'click' && sameTargets(last.state, state)
    if (again) this.#recordings.change(last.id, state)
    const id = again ? last.id : this.#add('click', state, label)
    this.#files.pressed({ id, targets, label })
    if (id !== null) this.#clicked = { id, state, page, at: performance.now() }
    this.#options.changed()
  }

  async #keyed(event: Of<'key'>, signal: AbortSignal): Promise<void> {
    const key = readKey(event)
    const page = this.#options.page()
    if (!key || !page) return
    // A press just before may not have moved the focus yet.
    await this.#options.settled()
    const found = await focusedElement(page)
    const isIn = await this.#typing.isIn(found)
    signal.throwIfAborted()
    if (!isIn) await this.#typing.end()
    const told = isIn ? this.#typing.told : found && (await this.#focused(page, found))
    signal.throwIfAborted()
    const { kind, multiline, suggests, ticked, radio, label } = told?.facts ?? NOTHING
    if (key.does === 'tab') return this.#leave()
    if (told?.problem === 'closed') return this.#addLost('closed', '')
    const writes = kind === 'text' || kind === 'choice'
    const enters = key.does === 'enter' && !(kind === 'text' && multiline)
    const moves = key.does === 'move' && suggests
    if (writes && !enters && !moves && key.does !== 'escape' && key.does !== 'command') {
      if (!found || !told) return
      if (told.problem) return isIn ? undefined : this.#addLost(told.problem, label)
      if (!isIn) await this.#typing.begin(found, told, signal)
      if (key.does !== 'move' || kind === 'choice') this.#typing.typed(key.does === 'write' ? event.text : '')
      return
    }
    if (!writes && key.does === 'edit') return
    if (kind === 'choice' && key.does === 'enter') return this.#leave()
    if (kind === 'tick' && key.name === 'Space' && told && !told.problem) {
      this.#add('select', { targets: targetsFor(told), by: 'checked', checked: radio || !ticked }, label)
      return
    }
    await this.#leave()
    this.#pressedKey(key, told)
  }

  #pressedKey({ name, does }: Pressed, told: Told | undefined): void {
    const aimed = told && !told.problem && does !== 'escape'
    const state = { key: name, ...(aimed ? { targets: targetsFor(told) } : {}) }
    const { last } = this.#recordings
    const times = Number(last?.state['times'] ?? 1)
    if (
      last?.type === 'press-key' &&
      last.state['key'] === name &&
      sameTargets(last.state, state) &&
      times < 100
    ) {
      this.#recordings.change(last.id, { ...state, times: times + 1 })
      this.#options.changed()
      return
    }
    const label = aimed ? told.facts.label : ''
    const id = this.#add('press-key', state, label)
    this.#files.pressed(aimed ? { id, targets: targetsFor(told), label } : undefined)
  }

  /** Pasted, or written by an input method. */
  async #written(text: string, signal: AbortSignal): Promise<void> {
    const page = this.#options.page()
    await this.#options.settled()
    const found = page && (await focusedElement(page))
    if (!page || !found) return
    const isIn = await this.#typing.isIn(found)
    signal.throwIfAborted()
    if (!isIn) {
      await this.#typing.end()
      const told = await this.#focused(page, found)
      signal.throwIfAborted()
      if (told.problem === 'closed') return this.#addLost('closed', '')
      if (told.facts.kind !== 'text') return
      if (told.problem) return this.#addLost(told.problem, told.facts.label)
      await this.#typing.begin(found, told, signal)
    }
    this.#typing.typed(text)
  }

  /** What has the focus, in the words of a workflow. */
  async #focused(page: Page, found: Found): Promise<Told> {
    const told = await targetsOf(page, found)
    return (await isFocusHidden(found)) ? { ...told, problem: 'closed' } : told
  }

  async #leave(): Promise<void> {
    await this.#options.settled()
    await this.#typing.end()
  }

  /** Writes a step down; null where the recording is full. */
  #add(type: NonNullable<Recorded['type']>, state: State, label: string): number | null {
    this.#clicked = undefined
    const id = this.#recordings.add({ type, unrecorded: null, state, label, secret: null })
    this.#options.changed()
    return id
  }

  #addLost(unrecorded: NonNullable<Recorded['unrecorded']>, label: string): void {
    const { last } = this.#recordings
    if (ONCE.includes(unrecorded) && last?.unrecorded === unrecorded && last.label === label) return
    this.#recordings.add({ type: null, unrecorded, state: {}, label, secret: null })
    this.#options.changed()
  }
}

/** Of these, many that follow each other are said once: each key that somebody types is one. */
const ONCE: readonly Recorded['unrecorded'][] = ['closed', 'noAnswer']

const NOTHING = {
  kind: 'other',
  multiline: false,
  suggests: false,
  ticked: false,
  radio: false,
  label: '',
} as const

const targetsFor = ({ found }: Told): State[] =>
  found.slice(0, TARGETS_MOST).map(({ target }) => ({ ...target }))

const sameTargets = (a: State, b: State) => JSON.stringify(a['targets']) === JSON.stringify(b['targets'])
