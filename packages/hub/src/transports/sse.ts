import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { HubLimits } from '../limits.ts'
import type { OutRecord } from '../protocol.ts'
import type { CloseReason } from '../types.ts'
import { OutQueue, type Transport, type TransportSink } from './transport.ts'

/** Records down an event stream; the client's own come by POST. */
export class SseTransport implements Transport {
  readonly kind = 'ServerSentEvents'
  readonly #response: ServerResponse
  readonly #queue: OutQueue

  constructor(
    response: ServerResponse,
    headers: OutgoingHttpHeaders,
    sink: TransportSink,
    limits: HubLimits,
    now: number,
  ) {
    this.#response = response
    this.#queue = new OutQueue(
      (records, taken) => response.write(eventsOf(records), taken),
      () => sink.drained(),
      limits,
      now,
    )
    response.on('error', () => response.destroy())
    // The response's own close: the request's fires as soon as the request was read.
    response.on('close', () => {
      this.#queue.clear()
      sink.ended('lost')
    })
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'content-encoding': 'identity',
      'x-accel-buffering': 'no',
    })
    // The client's start waits for a first byte; some proxies do too.
    response.write(':\r\n\r\n')
  }

  get queuedBytes(): number {
    return this.#queue.bytes
  }

  get queuedRecords(): number {
    return this.#queue.records
  }

  write(record: OutRecord): void {
    this.#queue.push(record)
  }

  pauseInput(): void {
    // Input comes by POST, and those wait for their answer.
  }

  discard(): boolean {
    return false
  }

  finish(): void {
    this.#queue.whenEmpty(() => this.#response.end())
  }

  terminate(): void {
    this.#response.destroy()
  }

  check(now: number): CloseReason | null {
    return this.#queue.stuck(now) ? 'sendStuck' : null
  }
}

/** One event for each record; a single one is not copied. */
function eventsOf(records: readonly OutRecord[]): Buffer {
  const [only] = records
  return records.length === 1 && only ? only.event : Buffer.concat(records.map((record) => record.event))
}
