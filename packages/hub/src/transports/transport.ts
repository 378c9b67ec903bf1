import type { OutRecord } from '../protocol.ts'
import type { CloseReason, TransportKind } from '../types.ts'

/** The way out to one client. The way in is the sink. */
export interface Transport {
  readonly kind: TransportKind
  /** What was written and not yet taken by the client's side. */
  readonly queuedBytes: number
  readonly queuedRecords: number
  /** Takes a whole record; never splits it, never waits. */
  write(record: OutRecord): void
  /** Stops and resumes reading from the client, where the transport reads at all. */
  pauseInput(paused: boolean): void
  /** Takes back what waits; false when it is on its way already. */
  discard(): boolean
  /** Ends in good order once everything written is out, then tells the sink. */
  finish(): void
  /** Ends at once, then tells the sink. */
  terminate(): void
  /** Looks at its own timings, once a second; a reason means that the client is gone. */
  check(now: number): CloseReason | null
}

/** What a transport tells its connection. */
export interface TransportSink {
  receive(chunk: Buffer): void
  /** Some output was taken. */
  drained(): void
  /** The transport has ended, by itself or because it was told to. */
  ended(reason: CloseReason): void
}

/** Counts what a socket has taken, and notices when it takes nothing for too long. */
export class OutputMeter {
  readonly #stuckMs: number
  #sent = 0
  #taken = 0
  #takenBefore = 0
  #since: number

  constructor(stuckMs: number, now: number) {
    this.#stuckMs = stuckMs
    this.#since = now
  }

  /** Records sent and not yet reported as taken. */
  get records(): number {
    return this.#sent - this.#taken
  }

  sent(): void {
    this.#sent += 1
  }

  taken(): void {
    this.#taken += 1
  }

  stuck(now: number, queuedBytes: number): boolean {
    if (queuedBytes === 0 || this.#taken !== this.#takenBefore) {
      this.#since = now
      this.#takenBefore = this.#taken
    }
    return now - this.#since >= this.#stuckMs
  }
}
