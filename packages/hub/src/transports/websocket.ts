import type { WebSocket } from 'ws'
import type { HubLimits } from '../limits.ts'
import type { OutRecord } from '../protocol.ts'
import type { CloseReason } from '../types.ts'
import { OutputMeter, type Transport, type TransportSink } from './transport.ts'

/** Records as text messages of a WebSocket, both ways. */
export class WebSocketTransport implements Transport {
  readonly kind = 'WebSockets'
  readonly #socket: WebSocket
  readonly #meter: OutputMeter
  readonly #onTaken: () => void

  constructor(socket: WebSocket, sink: TransportSink, limits: HubLimits, now: number) {
    this.#socket = socket
    this.#meter = new OutputMeter(limits.sendStuckMs, now)
    this.#onTaken = () => {
      this.#meter.taken()
      sink.drained()
    }
    let failure: CloseReason = 'lost'
    socket.on('error', (err) => {
      if ('code' in err && err.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') failure = 'recordTooBig'
    })
    // ws gives Buffers unless its binaryType is changed.
    socket.on('message', (data) => {
      if (Buffer.isBuffer(data)) sink.receive(data)
    })
    // 1005: a browser's close() without a code.
    socket.on('close', (code) => sink.ended([1000, 1001, 1005].includes(code) ? 'client' : failure))
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount
  }

  get queuedRecords(): number {
    // Reports come late when much is written at once; an empty buffer is the truth.
    return this.#socket.bufferedAmount === 0 ? 0 : this.#meter.records
  }

  write(record: OutRecord): void {
    this.#meter.sent()
    this.#socket.send(record.bytes, { binary: false }, this.#onTaken)
  }

  pauseInput(paused: boolean): void {
    if (paused) this.#socket.pause()
    else this.#socket.resume()
  }

  discard(): boolean {
    return false
  }

  finish(): void {
    this.#socket.close(1000)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  check(now: number): CloseReason | null {
    return this.#meter.stuck(now, this.queuedBytes) ? 'sendStuck' : null
  }
}
