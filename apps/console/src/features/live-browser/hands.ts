import type { AttendInput } from '@weft/contract/attended-runs/schema'
import type { LiveCalls } from './live-calls.ts'

const MOST = 100
/** Moves and turns of the wheel are gathered for so long. */
const GATHER_MS = 40

/** How the way to the client is: milliseconds of the last call, or that it did not get through. */
export type Line = { ms: number } | 'lost' | null

/**
 * Sends what a person does, one call at a time so that the order holds. What could not be sent is dropped: a click that
 * comes late would hit something else.
 */
export class Hands {
  readonly #calls: LiveCalls
  readonly #id: string
  readonly #onLine: (line: Line, error: unknown) => void
  #waiting: AttendInput[] = []
  #busy = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(calls: LiveCalls, id: string, onLine: (line: Line, error: unknown) => void) {
    this.#calls = calls
    this.#id = id
    this.#onLine = onLine
  }

  /** Takes one thing that the person did. */
  do(event: AttendInput): void {
    const last = this.#waiting.at(-1)
    if (event.type === 'mouse' && event.action === 'move' && last?.type === 'mouse' && last.action === 'move')
      this.#waiting[this.#waiting.length - 1] = event
    else if (event.type === 'wheel' && last?.type === 'wheel')
      this.#waiting[this.#waiting.length - 1] = {
        ...event,
        dx: within(event.dx + last.dx),
        dy: within(event.dy + last.dy),
      }
    else if (event.type === 'point' && last?.type === 'point' && !last.chosen)
      this.#waiting[this.#waiting.length - 1] = event
    else this.#waiting.push(event)
    const small =
      event.type === 'wheel' ||
      (event.type === 'point' && !event.chosen) ||
      (event.type === 'mouse' && event.action === 'move')
    if (small && !this.#timer) this.#timer = setTimeout(() => this.#flush(), GATHER_MS)
    else if (!small) this.#flush()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#busy && this.#waiting.length > 0) void this.#send()
  }

  async #send(): Promise<void> {
    this.#busy = true
    const began = performance.now()
    try {
      await this.#calls.input(this.#id, this.#waiting.splice(0, MOST))
      this.#onLine({ ms: Math.round(performance.now() - began) }, null)
    } catch (error) {
      this.#waiting = []
      this.#onLine('lost', error)
    }
    this.#busy = false
    this.#flush()
  }
}

const within = (value: number) => Math.min(5000, Math.max(-5000, value))
