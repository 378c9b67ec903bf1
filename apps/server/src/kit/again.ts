/** Work of which one round is under way at a time; asked for meanwhile, it is done once more afterwards. */
export class Again {
  readonly #work: () => Promise<void>
  readonly #failed: (error: unknown) => void
  #round: Promise<void> | undefined
  #asked = false

  constructor(work: () => Promise<void>, failed: (error: unknown) => void) {
    this.#work = work
    this.#failed = failed
  }

  /** Begins a round, or another after the one under way. A failed round waits for the next who asks. */
  soon(): void {
    if (this.#round) {
      this.#asked = true
      return
    }
    this.#round = this.#work()
      .catch(this.#failed)
      .finally(() => {
        this.#round = undefined
        if (!this.#asked) return
        this.#asked = false
        this.soon()
      })
  }

  /** Waits for the round under way. */
  async settled(): Promise<void> {
    await this.#round
  }
}
