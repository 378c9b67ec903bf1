import type { Page } from 'playwright-core'
import type { Recordings } from './recording.ts'
import { wayToTab } from './way-to-tab.ts'

/** A change of tab that was written down. */
interface Went {
  id: number
  page: Page
  pages: readonly Page[]
  closing: boolean
}

/** Writes changes of tab down: by the place of the tab at once, and by what it shows as soon as that is known. */
export class TabSteps {
  readonly #recordings: Recordings
  readonly #changed: () => void
  #went: Went | undefined

  constructor(recordings: Recordings, changed: () => void) {
    this.#recordings = recordings
    this.#changed = changed
  }

  async wentTo(page: Page, pages: readonly Page[], closing: boolean): Promise<void> {
    const state = stateOf({ by: 'index', value: String(pages.indexOf(page)) }, closing)
    const id = this.#recordings.add({ type: 'switch-tab', unrecorded: null, state, label: '', secret: null })
    this.#changed()
    this.#went = id === null ? undefined : { id, page, pages, closing }
    await this.#name()
  }

  /** A tab shows another page: where it was just gone to, that may be what it is there for. */
  arrived(page: Page): void {
    if (this.#went?.page === page) void this.#name()
  }

  /** Writes down what the tab can be found by, as long as nothing else was done there. */
  async #name(): Promise<void> {
    const went = this.#went
    if (!went || this.#recordings.last?.id !== went.id) return
    const way = await wayToTab(went.page, went.pages)
    // Something else may have been done meanwhile, and have led elsewhere.
    if (this.#recordings.last?.id !== went.id) return
    this.#recordings.change(went.id, stateOf(way, went.closing))
    this.#changed()
  }
}

const stateOf = (way: { by: string; value: string }, closing: boolean) => ({
  ...way,
  ...(closing ? { closeCurrent: true } : {}),
})
