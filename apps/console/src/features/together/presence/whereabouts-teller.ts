/** How often the hub is told where somebody is: a key that is held down is no storm. */
const EVERY_MS = 400

/** Tells where somebody is: the first time at once, then at most so often, the last place always. */
export class WhereaboutsTeller {
  readonly #tell: (stepId: string | null) => void
  #stepId: string | null = null
  #told: string | null | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(tell: (stepId: string | null) => void) {
    this.#tell = tell
  }

  /** Somebody is at a step. */
  at(stepId: string | null): void {
    this.#stepId = stepId
    if (this.#timer === undefined && this.#told !== stepId) this.#now()
  }

  /** Whoever listens is new: says it again. */
  again(): void {
    this.#told = undefined
    if (this.#timer === undefined) this.#now()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #now(): void {
    this.#told = this.#stepId
    this.#tell(this.#stepId)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#told !== this.#stepId) this.#now()
    }, EVERY_MS)
  }
}
