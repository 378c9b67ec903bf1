import type { Page } from 'playwright-core'
import { atMost } from '../within.ts'
import type { Recordings } from './recording.ts'
import { titlesOf, wayAtOnce, wayToTab, type Titles, type WayToTab } from './way-to-tab.ts'

/** A tab that closes is waited for no longer than this: its title is asked for before it is gone. */
const CLOSING_MS = 100

/** A change of tab that was written down. */
interface Went {
  id: number
  page: Page
  pages: readonly Page[]
  titles: Titles
  closes: boolean
  /** Which of the attempts to name it is the newest; none is under way when it is named. */
  attempt: number
  isNamed: boolean
}

/**
 * Writes changes of tab down: at once, by what is known of the tab, and better as soon as it says what it shows. Nobody waits
 * for that, and what is done next stands behind it.
 */
export class TabSteps {
  readonly #recordings: Recordings
  readonly #changed: () => void
  /** The last one, and those that have no name yet. */
  readonly #went = new Set<Went>()

  constructor(recordings: Recordings, changed: () => void) {
    this.#recordings = recordings
    this.#changed = changed
  }

  /** Another tab is worked in from now on, perhaps in place of one that is about to close. */
  async wentTo(page: Page, pages: readonly Page[], closing?: Page): Promise<void> {
    const closes = closing !== undefined
    const state = stateOf(wayAtOnce(page, pages), closes)
    const id = this.#recordings.add({ type: 'switch-tab', unrecorded: null, state, label: '', secret: null })
    this.#changed()
    for (const one of this.#went) if (one.isNamed) this.#went.delete(one)
    if (id === null) return
    const titles = titlesOf(pages.filter((one) => one !== page))
    const went: Went = { id, page, pages, titles, closes, attempt: 0, isNamed: false }
    this.#went.add(went)
    void this.#name(went)
    // It answers in turn: what was asked before is known then too.
    if (closing) await atMost(CLOSING_MS, titlesOf([closing]))
  }

  /** A tab shows another page: where it was just gone to, that may be what it is there for. */
  arrived(page: Page): void {
    for (const went of this.#went) {
      if (went.page !== page) continue
      if (this.#recordings.last?.id === went.id) void this.#name(went)
      else this.#leave(went)
    }
  }

  /** What was done since led elsewhere: what it shows now is not what it was gone to for. */
  #leave(went: Went): void {
    went.attempt += 1
    this.#went.delete(went)
  }

  async #name(went: Went): Promise<void> {
    went.attempt += 1
    went.isNamed = false
    const { attempt } = went
    const way = await wayToTab(went.page, went.pages, went.titles)
    // It shows another page since.
    if (went.attempt !== attempt) return
    went.isNamed = true
    this.#recordings.change(went.id, stateOf(way, went.closes))
    this.#changed()
  }
}

const stateOf = (way: WayToTab, closes: boolean) => ({ ...way, ...(closes ? { closeCurrent: true } : {}) })
