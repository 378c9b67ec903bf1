/**
 * Items that a client streams up with one call, in order. Ends with the client's completion, with its error, or when
 * nobody reads any more; items that come after that are dropped.
 */
export class Upload implements AsyncIterable<unknown> {
  readonly #onTaken: () => void
  #items: unknown[] = []
  #ended = false
  #error: Error | null = null
  #wake: (() => void) | null = null

  constructor(onTaken: () => void) {
    this.#onTaken = onTaken
  }

  get waiting(): number {
    return this.#items.length
  }

  push(item: unknown): void {
    if (this.#ended) return
    this.#items.push(item)
    this.#wake?.()
  }

  end(error: string | null): void {
    this.#ended = true
    if (error !== null) this.#error = new Error(error)
    this.#wake?.()
  }

  /** Forgets what was not read. */
  drop(): void {
    this.#items = []
    this.end(null)
    this.#onTaken()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator {
    try {
      for (;;) {
        if (this.#items.length > 0) {
          const item = this.#items.shift()
          this.#onTaken()
          yield item
        } else if (this.#error) {
          throw this.#error
        } else if (this.#ended) {
          return
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
          this.#wake = null
        }
      }
    } finally {
      this.drop()
    }
  }
}
