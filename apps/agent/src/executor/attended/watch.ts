import type { CDPSession, FileChooser, Frame, Page } from 'playwright-core'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import type { AttendedPurpose } from '@weft/contract/runs/schema'
import { Choices } from './choices.ts'
import { Pointer } from './pointer.ts'
import type { LocalFile } from '../files.ts'
import { Recorder } from './recorder.ts'
import { Uploads } from './uploads.ts'

export interface WatchOptions {
  purpose: AttendedPurpose
  page: () => Page | undefined
  size: () => { width: number; height: number }
  cdp: () => CDPSession | undefined
  changed: () => void
  settled: () => Promise<void>
  /** Does something after all that the person did so far. */
  inTurn: (work: () => Promise<void>) => void
  /** What kind of question the page waits to be answered; it answers nothing before. */
  asking: () => string | undefined
  /** Brings a file that the person chose from the server. */
  fetch: (fileId: string) => Promise<LocalFile>
}

/** Sees what a person does before it is played: opens drop-down lists in its place, points, and records. */
export class Watch {
  readonly recorder: Recorder | undefined
  readonly #options: WatchOptions
  readonly #choices: Choices
  readonly #pointer: Pointer
  readonly #uploads: Uploads
  /** The release of a press that was kept back is kept back too. */
  #kept = false

  constructor(options: WatchOptions) {
    this.#options = options
    this.#choices = new Choices(options)
    this.#pointer = new Pointer(options)
    this.#uploads = new Uploads({
      ...options,
      given: (count) => options.inTurn(async () => this.recorder?.gaveFiles(count)),
    })
    this.recorder = options.purpose === 'record' ? new Recorder(options) : undefined
  }

  /** What goes with the next picture. */
  said(): Pick<FrameMeta, 'choice' | 'files' | 'pointed' | 'recording'> {
    const { shown } = this.#choices
    const { told } = this.#pointer
    const { asked } = this.#uploads
    return {
      ...(shown ? { choice: shown } : {}),
      ...(asked ? { files: asked } : {}),
      ...(told ? { pointed: told } : {}),
      ...(this.recorder ? { recording: this.recorder.told } : {}),
    }
  }

  /** Looks at what is to be played; false where it is not to be. Once the signal is given, nobody waits for it any more. */
  async before(event: AttendInput, signal: AbortSignal): Promise<boolean> {
    switch (event.type) {
      case 'point':
        this.#pointer.point(event)
        return false
      case 'recording':
        await this.recorder?.turn(event.on)
        return false
      case 'recorded':
        this.recorder?.known(event.upTo)
        return false
      case 'files':
        // Fetching takes its time; the page can be worked meanwhile.
        void this.#uploads.give(event)
        return false
      case 'choose':
        await this.#choose(event, signal)
        return false
      case 'answer':
        if (event.accept && this.#options.asking() !== 'alert') this.recorder?.answered()
        return true
      case 'mouse':
        return this.#mouse(event, signal)
      case 'key':
        // Esc closes the list that is open, and means nothing else then.
        if (event.key === 'Escape' && event.action === 'down' && this.#choices.close()) return false
        break
      case 'wheel':
      case 'go':
      case 'open':
        this.#choices.close()
        break
      default:
    }
    if (this.#options.asking() === undefined) await this.recorder?.before(event, signal)
    return true
  }

  async after(event: AttendInput, signal: AbortSignal): Promise<void> {
    await this.recorder?.after(event, signal)
  }

  /** Something was played that could not be looked at, as the page did not answer in time. */
  missed(event: AttendInput): void {
    this.recorder?.missed(event)
  }

  async opened(url: string): Promise<void> {
    await this.recorder?.opened(url)
  }

  /** A page or a frame of it went on by itself. */
  arrived(page: Page, frame: Frame): void {
    this.#choices.gone(frame)
    void this.#uploads.arrived(page)
    if (frame !== page.mainFrame()) return
    this.recorder?.arrived(page)
  }

  /** A page asks for files. */
  asksForFiles(chooser: FileChooser): void {
    this.#options.inTurn(async () => this.recorder?.askedForFiles())
    void this.#uploads.asks(chooser)
  }

  /** Another tab is shown from now on. */
  turned(): void {
    this.#uploads.gone()
    this.#choices.close()
  }

  async #mouse(event: Extract<AttendInput, { type: 'mouse' }>, signal: AbortSignal): Promise<boolean> {
    if (event.action === 'up' && this.#kept) {
      this.#kept = false
      return false
    }
    if (event.action !== 'down' || this.#options.asking() !== undefined) return true
    this.#choices.close()
    this.#kept = false
    const kept = event.button === 'left' && (await this.#opens(event, signal))
    signal.throwIfAborted()
    this.#kept = kept
    if (this.#kept) return false
    await this.recorder?.before(event, signal)
    return true
  }

  async #opens({ x, y }: { x: number; y: number }, signal: AbortSignal): Promise<boolean> {
    const page = this.#options.page()
    const { width, height } = this.#options.size()
    return page !== undefined && this.#choices.openAt(page, { x: x * width, y: y * height }, signal)
  }

  async #choose(
    { list, indexes }: Extract<AttendInput, { type: 'choose' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { found } = this.#choices
    const write = found && indexes.length > 0 ? await this.recorder?.choosing(found, signal) : undefined
    await this.#choices.choose(list, indexes)
    signal.throwIfAborted()
    await write?.()
  }
}
