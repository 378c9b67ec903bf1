import type { FileChooser, Page } from 'playwright-core'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import type { LocalFile } from '../files.ts'
import { atMost, within } from '../within.ts'

/** The server may stop in the middle of a file; a person who waits is told then that it failed. */
const FETCH_MS = 10 * 60_000
/** The page may hold up the file that it asked for; nobody waits longer. */
const GIVE_MS = 30_000
/** It may hold up what is read of its field too: it asks nevertheless. */
const READ_MS = 2000
const ACCEPT_MAX = 300

type Asked = NonNullable<FrameMeta['files']>

/** Where files come from, and which page is shown. */
export interface UploadsOptions {
  page: () => Page | undefined
  fetch: (fileId: string) => Promise<LocalFile>
  changed: () => void
  /** The page has so many of them. */
  given: (count: number) => void
  /** How long the files may take to come. */
  fetchMs?: number
}

/** A page asks for files: that is told, and what the person chooses is fetched and given to it. */
export class Uploads {
  readonly #options: UploadsOptions
  #chooser: FileChooser | undefined
  #asked: Asked | undefined
  #count = 0

  constructor(options: UploadsOptions) {
    this.#options = options
  }

  /** What the page that is shown asks for, to be told. */
  get asked(): Asked | undefined {
    return this.#chooser && this.#isShown(this.#chooser) ? this.#asked : undefined
  }

  /**
   * A page asks. Whatever was asked before is forgotten: pages open one chooser at a time. One that is not shown asks in vain,
   * as the person would take it for the other.
   */
  async asks(chooser: FileChooser): Promise<void> {
    if (!this.#isShown(chooser)) return
    this.#count += 1
    const number = this.#count
    this.#chooser = chooser
    this.#put(undefined)
    const accept = await atMost(READ_MS, chooser.element().getAttribute('accept')).catch(() => null)
    if (this.#chooser !== chooser) return
    const kinds = (accept ?? '').slice(0, ACCEPT_MAX)
    this.#put({ number, multiple: chooser.isMultiple(), accept: kinds, state: 'asked' })
  }

  /** The person has chosen; nothing means that they do not want to, also while it is fetched. */
  async give({ number, fileIds }: Extract<AttendInput, { type: 'files' }>): Promise<void> {
    const chooser = this.#chooser
    const { asked } = this
    if (!chooser || asked?.number !== number) return
    if (fileIds.length === 0) return this.#forget()
    if (asked.state === 'taking') return
    this.#put({ ...asked, state: 'taking' })
    const given = await this.#hand(chooser, asked.multiple ? fileIds : fileIds.slice(0, 1))
    if (this.#chooser !== chooser) return
    if (given) this.#forget()
    else this.#put({ ...asked, state: 'failed' })
  }

  /** Another tab is shown. */
  gone(): void {
    if (this.#chooser) this.#forget()
  }

  /**
   * The page or a frame of it went on. Many change only their address and still wait for the file; where its field went with
   * its document, nobody does. A page that says neither in time is taken to wait.
   */
  async arrived(page: Page): Promise<void> {
    const chooser = this.#chooser
    if (chooser?.page() !== page) return
    const there = await atMost(
      READ_MS,
      chooser
        .element()
        .evaluate(() => true)
        .catch(() => false),
    )
    if (there === false && this.#chooser === chooser) this.#forget()
  }

  async #hand(chooser: FileChooser, fileIds: readonly string[]): Promise<boolean> {
    try {
      const paths = await within(this.#options.fetchMs ?? FETCH_MS, (signal) =>
        this.#fetched(chooser, fileIds, signal),
      )
      if (!this.#waits(chooser)) return false
      await chooser.setFiles(paths, { timeout: GIVE_MS })
      this.#options.given(paths.length)
      return true
    } catch {
      // The file is not there for this run, or the page went on: the person is told, and may choose again.
      return false
    }
  }

  /** One after another, until nobody waits for them any more. */
  async #fetched(chooser: FileChooser, fileIds: readonly string[], signal: AbortSignal): Promise<string[]> {
    const paths: string[] = []
    for (const id of fileIds) {
      if (signal.aborted || !this.#waits(chooser)) break
      paths.push((await this.#options.fetch(id)).path)
    }
    return paths
  }

  #waits(chooser: FileChooser): boolean {
    return this.#chooser === chooser && this.#isShown(chooser)
  }

  #isShown(chooser: FileChooser): boolean {
    return chooser.page() === this.#options.page()
  }

  #forget(): void {
    this.#chooser = undefined
    this.#put(undefined)
  }

  #put(asked: Asked | undefined): void {
    this.#asked = asked
    this.#options.changed()
  }
}
