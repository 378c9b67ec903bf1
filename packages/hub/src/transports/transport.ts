import type { HubLimits } from '../limits.ts'
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

/** One write takes at most this much, so that progress shows on a slow line too. */
const BATCH_BYTES = 64 * 1024

/** Hands a batch of records to the socket as one unit, and calls back when it was taken. */
export type SendBatch = (records: readonly OutRecord[], taken: () => void) => void

/**
 * What waits for a socket. One batch is under way at a time, and takes all that came meanwhile: a lone record leaves
 * at once, a flood leaves in few writes, and what waits costs a reference each.
 */
export class OutQueue {
  readonly #send: SendBatch
  readonly #onTaken: () => void
  readonly #stuckMs: number
  #waiting: OutRecord[] = []
  #underWay: readonly OutRecord[] = []
  #bytes = 0
  #records = 0
  #progress = true
  #since: number
  #whenEmpty: (() => void) | null = null

  constructor(send: SendBatch, onTaken: () => void, limits: HubLimits, now: number) {
    this.#send = send
    this.#onTaken = onTaken
    this.#stuckMs = limits.sendStuckMs
    this.#since = now
  }

  /** Bytes and records written and not yet taken. */
  get bytes(): number {
    return this.#bytes
  }
  get records(): number {
    return this.#records
  }

  push(record: OutRecord): void {
    this.#bytes += record.bytes.length
    this.#records += 1
    if (this.#underWay.length === 0) this.#start([record])
    else this.#waiting.push(record)
  }

  /** Calls once everything is out. */
  whenEmpty(fn: () => void): void {
    if (this.#records === 0) fn()
    else this.#whenEmpty = fn
  }

  /** The socket is gone, and all that waited with it. */
  clear(): void {
    this.#waiting = []
    this.#underWay = []
    this.#bytes = 0
    this.#records = 0
  }

  /** True when nothing was taken for too long though something waits. */
  stuck(now: number): boolean {
    if (this.#progress || this.#records === 0) this.#since = now
    this.#progress = false
    return now - this.#since >= this.#stuckMs
  }

  #next(): void {
    if (this.#waiting.length > 0) this.#start(this.#takeBatch())
    else this.#whenEmpty?.()
  }

  #start(batch: readonly OutRecord[]): void {
    this.#underWay = batch
    this.#send(batch, () => this.#taken(batch))
  }

  #takeBatch(): OutRecord[] {
    let bytes = 0
    let count = 0
    for (const record of this.#waiting) {
      bytes += record.bytes.length
      if (count > 0 && bytes > BATCH_BYTES) break
      count += 1
    }
    const all = this.#waiting
    this.#waiting = all.slice(count)
    return count === all.length ? all : all.slice(0, count)
  }

  #taken(batch: readonly OutRecord[]): void {
    // Also called for what a broken socket did not take.
    if (this.#underWay !== batch) return
    for (const record of batch) this.#bytes -= record.bytes.length
    this.#records -= batch.length
    this.#underWay = []
    this.#progress = true
    this.#next()
    this.#onTaken()
  }
}
