import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { HubLimits } from '../limits.ts'
import type { OutRecord } from '../protocol.ts'
import type { CloseReason } from '../types.ts'
import { OutputMeter, type Transport, type TransportSink } from './transport.ts'

/** Records down an event stream; the client's own come by POST. */
export class SseTransport implements Transport {
  readonly kind = 'ServerSentEvents'
  readonly #response: ServerResponse
  readonly #meter: OutputMeter
  readonly #onTaken: () => void

  constructor(
    response: ServerResponse,
    headers: OutgoingHttpHeaders,
    sink: TransportSink,
    limits: HubLimits,
    now: number,
  ) {
    this.#response = response
    this.#meter = new OutputMeter(limits.sendStuckMs, now)
    this.#onTaken = () => {
      this.#meter.taken()
      sink.drained()
    }
    response.on('error', () => response.destroy())
    // The response's own close: the request's fires as soon as the request was read.
    response.on('close', () => sink.ended('lost'))
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
    return this.#response.writableLength
  }

  get queuedRecords(): number {
    return this.#response.writableLength === 0 ? 0 : this.#meter.records
  }

  write(record: OutRecord): void {
    this.#meter.sent()
    this.#response.write(record.event, this.#onTaken)
  }

  pauseInput(): void {
    // Input comes by POST, and those wait for their answer.
  }

  discard(): boolean {
    return false
  }

  finish(): void {
    this.#response.end()
  }

  terminate(): void {
    this.#response.destroy()
  }

  check(now: number): CloseReason | null {
    return this.#meter.stuck(now, this.queuedBytes) ? 'sendStuck' : null
  }
}
