import type { Recorded, Recording } from '@weft/contract/attended-runs/watched'
import { store, type Store } from '../../../../lib/emitter.ts'

/** One thing that was recorded, by the browser that it was done in. */
export interface Entry {
  key: string
  recorded: Recorded
}

/**
 * What was recorded, as far as it has come here. With each picture comes what is new until its coming was told; it stays here
 * when the browser or the connection is gone, and what another browser records comes after it.
 */
export class Gathered {
  readonly entries: Store<readonly Entry[]> = store<readonly Entry[]>([])
  readonly #browsers = new Map<string, { seq: number; recorded: Map<number, Recorded> }>()

  /** Takes what came with a picture; gives how far all has come, or null where nothing is to be told. */
  take(runId: string, { news }: Recording): number | null {
    if (news.length === 0) return null
    const browser = this.#browsers.get(runId) ?? { seq: 0, recorded: new Map() }
    this.#browsers.set(runId, browser)
    const fresh = news.filter(({ id, seq }) => (browser.recorded.get(id)?.seq ?? 0) < seq)
    for (const entry of fresh) browser.recorded.set(entry.id, entry)
    browser.seq = Math.max(browser.seq, ...news.map(({ seq }) => seq))
    if (fresh.length > 0)
      this.entries.set(
        [...this.#browsers].flatMap(([id, { recorded }]) =>
          [...recorded.values()]
            .toSorted((a, b) => a.id - b.id)
            .map((one) => ({ key: `${id} ${one.id}`, recorded: one })),
        ),
      )
    return browser.seq
  }
}
