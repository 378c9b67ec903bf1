import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { HubLimits } from '../limits.ts'
import { OutRecord } from '../protocol.ts'
import type { CloseReason } from '../types.ts'
import type { Transport, TransportSink } from './transport.ts'

/** One poll: its response, the headers every answer carries, and its place in the order of arrival. */
export interface Poll {
  response: ServerResponse
  headers: OutgoingHttpHeaders
  arrival: number
}

/** Told how long each poll waited. */
export type PollObserver = (waitedMs: number) => void

/**
 * Records wait in a queue until a poll takes them all. At most one poll waits; a newer one sends it away with 204.
 * Nothing is taken out of the queue for a poll that died waiting.
 */
export class LongPollingTransport implements Transport {
  readonly kind = 'LongPolling'
  readonly #sink: TransportSink
  readonly #limits: HubLimits
  readonly #now: () => number
  readonly #onPoll: PollObserver
  #queue: OutRecord[] = []
  #bytes = 0
  #waiting: (Poll & { since: number }) | null = null
  #answering: { response: ServerResponse; since: number } | null = null
  #lastArrival = -1
  #contactAt: number
  #polled = false
  #finishing = false
  #flushing = false
  #ended = false

  constructor(sink: TransportSink, limits: HubLimits, now: () => number, onPoll: PollObserver) {
    this.#sink = sink
    this.#limits = limits
    this.#now = now
    this.#onPoll = onPoll
    this.#contactAt = now()
  }

  get queuedBytes(): number {
    return this.#bytes
  }

  get queuedRecords(): number {
    return this.#queue.length
  }

  /** Takes a poll: the first is answered at once, the others bring data or wait for it. */
  poll(poll: Poll): void {
    // It died while its token was checked: it must neither take data nor send another poll away.
    if (poll.response.destroyed || poll.response.closed) return
    if (poll.arrival < this.#lastArrival) {
      this.#answer(poll, 204)
      return
    }
    this.#lastArrival = poll.arrival
    if (this.#waiting) this.#release(this.#waiting, 204)
    if (!this.#polled) {
      this.#polled = true
      this.#answer(poll, 200)
      return
    }
    const waiting = { ...poll, since: this.#now() }
    this.#waiting = waiting
    poll.response.on('close', () => {
      if (this.#waiting !== waiting) return
      this.#waiting = null
      this.#contactAt = this.#now()
    })
    this.#flush()
  }

  write(record: OutRecord): void {
    this.#queue.push(record)
    this.#bytes += record.bytes.length
    this.#flushSoon()
  }

  pauseInput(): void {
    // Input comes by POST, and those wait for their answer.
  }

  discard(): boolean {
    this.#queue = []
    this.#bytes = 0
    return true
  }

  finish(): void {
    this.#finishing = true
    this.#flushSoon()
  }

  terminate(): void {
    this.discard()
    this.#waiting?.response.destroy()
    this.#waiting = null
    this.#answering?.response.destroy()
    this.#end('lost')
  }

  check(now: number): CloseReason | null {
    if (this.#waiting && now - this.#waiting.since >= this.#limits.pollWaitMs)
      this.#release(this.#waiting, 200)
    if (this.#answering && now - this.#answering.since >= this.#limits.sendStuckMs) return 'sendStuck'
    if (!this.#waiting && !this.#answering && now - this.#contactAt >= this.#limits.pollGapMs)
      return 'pollGone'
    return null
  }

  /** Records of one turn share a poll. */
  #flushSoon(): void {
    if (this.#flushing || !this.#waiting) return
    this.#flushing = true
    setImmediate(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    if (!waiting) return
    if (this.#queue.length > 0) {
      const body = OutRecord.join(this.#queue)
      this.discard()
      this.#release(waiting, 200, body)
      this.#sink.drained()
    } else if (this.#finishing) {
      this.#release(waiting, 204)
      this.#end('client')
    }
  }

  #release(waiting: Poll & { since: number }, status: 200 | 204, body?: Buffer): void {
    this.#waiting = null
    this.#onPoll(this.#now() - waiting.since)
    this.#answer(waiting, status, body)
  }

  #answer({ response, headers }: Poll, status: 200 | 204, body?: Buffer): void {
    const answering = { response, since: this.#now() }
    this.#answering = answering
    this.#contactAt = answering.since
    response.on('error', () => response.destroy())
    // Fires after a finished answer as well as after a lost one.
    response.on('close', () => {
      if (this.#answering !== answering) return
      this.#answering = null
      this.#contactAt = this.#now()
    })
    if (status === 204) response.writeHead(204, headers).end()
    else
      response
        .writeHead(200, {
          ...headers,
          'content-type': body ? 'application/octet-stream' : 'text/plain',
          'content-length': String(body?.length ?? 0),
        })
        .end(body)
  }

  #end(reason: CloseReason): void {
    if (this.#ended) return
    this.#ended = true
    this.#sink.ended(reason)
  }
}
