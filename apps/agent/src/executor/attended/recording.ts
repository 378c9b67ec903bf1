import { FRAME_META_MAX_BYTES } from '@weft/contract/attended-runs/schema'
import { RECORDED_MOST, type Recorded, type Recording } from '@weft/contract/attended-runs/watched'

const NEWS_MOST = 200
const NEWS_BYTES = FRAME_META_MAX_BYTES / 2

/** What of an entry may be said anew. */
export type Content = Omit<Recorded, 'id' | 'seq'>

/**
 * What was done so far. It stays here until the browser closes: a console that lost its connection, or was opened anew, is
 * told all of it again.
 */
export class Recordings {
  readonly #entries = new Map<number, Recorded>()
  #seq = 0
  #known = 0
  #on = true
  #full = false

  /** What is told with the next picture: whatever the console does not have, as much as fits. */
  get told(): Recording {
    const news: Recorded[] = []
    let bytes = 0
    const missing = [...this.#entries.values()].filter(({ seq }) => seq > this.#known)
    for (const entry of missing.toSorted((a, b) => a.seq - b.seq)) {
      bytes += Buffer.byteLength(JSON.stringify(entry))
      if (news.length > 0 && (bytes > NEWS_BYTES || news.length >= NEWS_MOST)) break
      news.push(entry)
    }
    return { on: this.on, full: this.#full, seq: this.#seq, news }
  }

  get last(): Recorded | undefined {
    return [...this.#entries.values()].at(-1)
  }

  /** Whether what is done is written down now. */
  get on(): boolean {
    return this.#on && !this.#full
  }

  set on(on: boolean) {
    this.#on = on
  }

  /** The console has all changes as far as this; one that begins anew has none. */
  known(upTo: number): void {
    this.#known = Math.min(upTo, this.#seq)
  }

  /** Writes something down; null where no more is taken. What is there already stays as it is. */
  add(content: Content): number | null {
    if (this.#entries.size >= RECORDED_MOST) {
      this.#full = true
      return null
    }
    const id = this.#entries.size + 1
    this.#seq += 1
    this.#entries.set(id, { ...content, id, seq: this.#seq })
    return id
  }

  change(id: number, state: Recorded['state']): void {
    this.become(id, { state })
  }

  /** Turns out to be something else than it was written down as. */
  become(id: number, content: Partial<Content>): void {
    const before = this.#entries.get(id)
    const after = before && { ...before, ...content }
    if (!after || JSON.stringify(before) === JSON.stringify(after)) return
    this.#seq += 1
    this.#entries.set(id, { ...after, seq: this.#seq })
  }
}
