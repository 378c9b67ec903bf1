import type { WebSocket } from 'ws'
import type { HubLimits } from '../limits.ts'
import { OutRecord } from '../protocol.ts'
import type { CloseReason } from '../types.ts'
import { OutQueue, type Transport, type TransportSink } from './transport.ts'

/** Closes of a client that meant it; 1005 is a browser's `close()` without a code. */
const GOODBYES = [1000, 1001, 1005]

/** Records as text messages of a WebSocket, both ways. */
export class WebSocketTransport implements Transport {
  readonly kind = 'WebSockets'
  readonly #socket: WebSocket
  readonly #queue: OutQueue

  constructor(socket: WebSocket, sink: TransportSink, limits: HubLimits, now: number) {
    this.#socket = socket
    this.#queue = new OutQueue(
      (records, taken) => socket.send(OutRecord.join(records), { binary: false }, taken),
      () => sink.drained(),
      limits,
      now,
    )
    let failure: CloseReason = 'lost'
    socket.on('error', (err) => {
      if ('code' in err && err.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') failure = 'recordTooBig'
    })
    // ws gives Buffers unless its binaryType is changed.
    socket.on('message', (data) => {
      if (Buffer.isBuffer(data)) sink.receive(data)
    })
    socket.on('close', (code) => {
      this.#queue.clear()
      sink.ended(GOODBYES.includes(code) ? 'client' : failure)
    })
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

  pauseInput(paused: boolean): void {
    if (paused) this.#socket.pause()
    else this.#socket.resume()
  }

  discard(): boolean {
    return false
  }

  finish(): void {
    this.#queue.whenEmpty(() => this.#socket.close(1000))
  }

  terminate(): void {
    this.#socket.terminate()
  }

  check(now: number): CloseReason | null {
    return this.#queue.stuck(now) ? 'sendStuck' : null
  }
}
