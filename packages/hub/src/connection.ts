import { Dispatcher } from './dispatcher.ts'
import type { Clock } from './clock.ts'
import type { HubLimits } from './limits.ts'
import type { MethodTable } from './methods.ts'
import {
  checkHandshake,
  type OutRecord,
  parseMessage,
  ProtocolError,
  RecordCutter,
  write,
} from './protocol.ts'
import type { Transport, TransportSink } from './transports/transport.ts'
import {
  type CloseOptions,
  type CloseReason,
  type ConnectionInfo,
  HubError,
  type HubLogger,
  type Identity,
  type TransportKind,
} from './types.ts'

/** What connections share, and what they tell their hub. */
export interface ConnectionHost<User> {
  readonly limits: HubLimits
  readonly clock: Clock
  readonly logger: HubLogger
  readonly methods: MethodTable<User>
  /** Counts one record of the client; false when its user has sent too many. */
  spendRecord(connection: Connection<User>): boolean
  received(): void
  sent(): void
  /** The handshake is done: the connection may be announced. */
  opened(connection: Connection<User>): Promise<void>
  /** It gets nothing any more. Called once. */
  closed(connection: Connection<User>, reason: CloseReason, wasOpen: boolean): void
  /** Its id is unknown from now on. Called once. */
  forgotten(connection: Connection<User>): void
}

/** new: has an id. started: has a transport. open: shook hands. closing: gets its last records. gone: forgotten. */
export type ConnectionState = 'new' | 'started' | 'open' | 'closing' | 'gone'

/** Output beyond which calls and streams wait; a broadcast never does. */
const ROOM_BYTES = 64 * 1024
const ROOM_RECORDS = 250

const CLOSED_WITH_ERROR: CloseOptions = { error: 'Connection closed with an error.', allowReconnect: true }

/**
 * One client's connection: its state, its ordered input, its bounded output, and its end. A connection ends once,
 * always in this order: one Close record where it can still arrive, the transport's end, its id forgotten.
 */
export class Connection<User> implements TransportSink, ConnectionInfo<User> {
  readonly connectionId: string
  readonly groups = new Set<string>()
  readonly #host: ConnectionHost<User>
  readonly #token: string
  readonly #cutter: RecordCutter
  readonly #dispatcher: Dispatcher<User>
  #identity: Identity<User>
  #endsAt: number | undefined
  #state: ConnectionState = 'new'
  #channel: Transport | null = null
  /** When the present state began. */
  #since: number
  #sentAt = 0
  #receivedAt = 0
  #pinged = false
  #inputPaused = false
  /** A look at whether the output runs over is due. */
  #judging = false
  #roomWaiters: (() => void)[] = []
  #inputWaiters: (() => void)[] = []
  #turn: Promise<void> = Promise.resolve()
  #arrivals = 0

  constructor(host: ConnectionHost<User>, token: string, connectionId: string, identity: Identity<User>) {
    this.#host = host
    this.#token = token
    this.connectionId = connectionId
    this.#identity = identity
    this.#since = host.clock.now()
    this.#cutter = new RecordCutter(host.limits.recordBytes)
    this.#dispatcher = new Dispatcher(
      {
        info: this,
        logger: host.logger,
        write: (record) => this.write(record),
        outputRoom: () => this.#outputRoom(),
        inputTaken: () => this.#inputTaken(),
      },
      host.methods,
      host.limits.streamsPerConnection,
    )
    this.#endsAt = this.#endOf(identity.expiresAt)
  }

  /** The key that requests carry as `id`; a secret. */
  get token(): string {
    return this.#token
  }
  get user(): User {
    return this.#identity.user
  }
  get userId(): string {
    return this.#identity.userId
  }
  get expiresAt(): number | undefined {
    return this.#identity.expiresAt
  }
  get state(): ConnectionState {
    return this.#state
  }
  get transport(): TransportKind | null {
    return this.#channel?.kind ?? null
  }
  get channel(): Transport | null {
    return this.#channel
  }

  /** A later request proved the same user again, perhaps with a token that lives longer. */
  renew(identity: Identity<User>): void {
    const { expiresAt } = identity
    // The lead is worked out once for each token: half of what is left shrinks with every look.
    if (expiresAt !== this.#identity.expiresAt) this.#endsAt = this.#endOf(expiresAt)
    this.#identity = identity
  }

  #endOf(expiresAt: number | undefined): number | undefined {
    if (expiresAt === undefined) return undefined
    const left = expiresAt - this.#host.clock.wall()
    return expiresAt - Math.min(this.#host.limits.expiryLeadMs, left / 2)
  }

  /** Numbers polls in the order in which they arrived, whatever their token checks take. */
  nextArrival(): number {
    this.#arrivals += 1
    return this.#arrivals
  }

  /** POSTs take turns in the order of arrival: wait for `ready`, and always call `done`. */
  takeTurn(): { ready: Promise<void>; done: () => void } {
    const ready = this.#turn
    let done: () => void = () => undefined
    this.#turn = new Promise((resolve) => {
      done = resolve
    })
    return { ready, done }
  }

  start(transport: Transport): void {
    const now = this.#host.clock.now()
    this.#channel = transport
    this.#state = 'started'
    this.#since = now
    this.#sentAt = now
    this.#receivedAt = now
  }

  /** Sends one record to an open connection; one whose client is too slow ends instead. */
  write(record: OutRecord): void {
    if (this.#state !== 'open') return
    this.#put(record)
  }

  #put(record: OutRecord): void {
    const channel = this.#channel
    if (!channel) return
    channel.write(record)
    this.#sentAt = this.#host.clock.now()
    this.#host.sent()
    if (this.#judging || !this.#runsOver(channel)) return
    // Much at once is no slowness: what the network takes within this turn does not count.
    this.#judging = true
    setImmediate(() => {
      this.#judging = false
      if (this.#state === 'open' && this.#runsOver(channel)) this.#giveUp(channel)
    })
  }

  #runsOver(channel: Transport): boolean {
    const { outputBytes, outputRecords } = this.#host.limits
    // A single big record is allowed; it cannot be sent in any other way.
    return (
      channel.queuedRecords > outputRecords ||
      (channel.queuedBytes > outputBytes && channel.queuedRecords > 1)
    )
  }

  #giveUp(channel: Transport): void {
    // A Close record would wait behind the rest, unless the rest can be taken back.
    if (channel.discard()) this.close('slowConsumer', CLOSED_WITH_ERROR)
    else this.terminate('slowConsumer')
  }

  receive(chunk: Buffer): void {
    if (this.#state !== 'started' && this.#state !== 'open') return
    try {
      for (const text of this.#cutter.cut(chunk)) {
        this.#host.received()
        if (!this.#host.spendRecord(this)) {
          this.close('tooManyRecords', CLOSED_WITH_ERROR)
          return
        }
        if (this.#state === 'started') this.#shakeHands(text)
        else this.#serve(text)
        // Either of them may have ended the connection.
        if (!this.#takesInput()) return
      }
    } catch (err) {
      this.#fail(err)
    }
    if (!this.#takesInput() || this.#inputPaused) return
    if (this.#dispatcher.waiting >= this.#host.limits.inputRecords) {
      this.#inputPaused = true
      this.#channel?.pauseInput(true)
    }
  }

  #takesInput(): boolean {
    return this.#state === 'started' || this.#state === 'open'
  }

  #fail(err: unknown): void {
    const reason = err instanceof ProtocolError ? err.code : 'protocolError'
    this.#host.logger.debug({ err, connectionId: this.connectionId }, 'hub connection broke the protocol')
    if (this.#state === 'started') this.#refuse('Handshake was canceled.', 'handshakeFailed')
    else this.close(reason, CLOSED_WITH_ERROR)
  }

  #shakeHands(text: string): void {
    const refusal = checkHandshake(text)
    if (refusal !== null) {
      this.#refuse(refusal, 'handshakeFailed')
      return
    }
    this.#put(write.handshake)
    this.#state = 'open'
    this.#receivedAt = this.#host.clock.now()
    this.#host.opened(this).then(
      () => this.#dispatcher.start(),
      (err: unknown) => {
        this.#host.logger.error({ err, connectionId: this.connectionId }, 'hub onConnected failed')
        // Only what the application says on purpose keeps the client away.
        this.close('refusedByApp', err instanceof HubError ? { error: err.message } : CLOSED_WITH_ERROR)
      },
    )
  }

  #refuse(error: string, reason: CloseReason): void {
    this.#put(write.handshakeError(error))
    this.#end(reason)
  }

  #serve(text: string): void {
    this.#receivedAt = this.#host.clock.now()
    const message = parseMessage(text)
    if (message.type === 'ping') this.#pinged = true
    else if (message.type === 'close') this.close('client')
    else this.#dispatcher.receive(message)
  }

  #outputRoom(): Promise<void> | null {
    return this.#hasRoom() ? null : new Promise((resolve) => this.#roomWaiters.push(resolve))
  }

  #hasRoom(): boolean {
    const transport = this.#channel
    if (!transport || this.#state !== 'open') return true
    return transport.queuedBytes < ROOM_BYTES && transport.queuedRecords < ROOM_RECORDS
  }

  drained(): void {
    if (this.#roomWaiters.length > 0 && this.#hasRoom()) this.#wake('#roomWaiters')
  }

  #wake(which: '#roomWaiters' | '#inputWaiters'): void {
    const waiters = which === '#roomWaiters' ? this.#roomWaiters : this.#inputWaiters
    if (which === '#roomWaiters') this.#roomWaiters = []
    else this.#inputWaiters = []
    for (const wake of waiters) wake()
  }

  /** Null while the client may send more; otherwise waits until enough of its calls were served. */
  inputRoom(): Promise<void> | null {
    return this.#inputPaused ? new Promise((resolve) => this.#inputWaiters.push(resolve)) : null
  }

  #inputTaken(): void {
    // A call that took long was no silence of the client.
    this.#receivedAt = this.#host.clock.now()
    if (!this.#inputPaused || this.#dispatcher.waiting > this.#host.limits.inputRecords / 2) return
    this.#resumeInput()
  }

  #resumeInput(): void {
    if (!this.#inputPaused) return
    this.#inputPaused = false
    this.#channel?.pauseInput(false)
    this.#wake('#inputWaiters')
  }

  /** Sends a Close record and ends in good order. */
  close(reason: CloseReason, { error, allowReconnect }: CloseOptions = {}): void {
    if (this.#state === 'closing' || this.#state === 'gone') return
    if (this.#state === 'open') this.#put(write.close(error, allowReconnect))
    this.#end(reason)
  }

  /** The client said goodbye by DELETE: no record is due. */
  leave(): void {
    if (this.#state === 'closing') this.#channel?.terminate()
    else {
      this.#channel?.discard()
      this.#end('client')
    }
  }

  /** Ends without a word: nothing would arrive. */
  terminate(reason: CloseReason): void {
    if (this.#state === 'gone') return
    this.#leaveHub(reason)
    if (this.#channel) this.#channel.terminate()
    this.#forget()
  }

  #end(reason: CloseReason): void {
    // Writing the last record may have ended it.
    if (!this.#leaveHub(reason)) return
    if (this.#channel) this.#channel.finish()
    else this.#forget()
  }

  #leaveHub(reason: CloseReason): boolean {
    if (this.#state === 'closing' || this.#state === 'gone') return false
    const wasOpen = this.#state === 'open'
    this.#state = 'closing'
    this.#since = this.#host.clock.now()
    this.#dispatcher.stop()
    this.#resumeInput()
    this.#wake('#roomWaiters')
    this.#host.closed(this, reason, wasOpen)
    return true
  }

  ended(reason: CloseReason): void {
    this.#leaveHub(reason)
    this.#forget()
  }

  #forget(): void {
    if (this.#state === 'gone') return
    this.#state = 'gone'
    this.#host.forgotten(this)
  }

  /** Once a second: everything that depends on time. */
  tick(now: number, wall: number): void {
    const { limits } = this.#host
    const age = now - this.#since
    if (this.#state === 'new') {
      if (age >= limits.unusedIdMs) this.#end('unused')
      return
    }
    if (this.#state === 'closing') {
      const grace = this.transport === 'LongPolling' ? limits.endingMs : limits.closeGraceMs
      if (age >= grace) this.terminate('lost')
      return
    }
    const gone = this.#channel?.check(now) ?? null
    if (gone !== null) this.terminate(gone)
    else if (this.#endsAt !== undefined && wall >= this.#endsAt)
      this.close('tokenEnded', { allowReconnect: true })
    else if (this.#state === 'started') {
      if (age >= limits.handshakeTimeoutMs) this.#refuse('Handshake was canceled.', 'handshakeTimeout')
    } else if (this.transport !== 'LongPolling') this.#checkSilence(now)
  }

  #checkSilence(now: number): void {
    const { limits } = this.#host
    if (this.#pinged && !this.#dispatcher.busy && now - this.#receivedAt >= limits.clientTimeoutMs)
      this.close('clientTimeout', CLOSED_WITH_ERROR)
    else if (now - this.#sentAt >= limits.keepAliveMs) this.write(write.ping)
  }
}
