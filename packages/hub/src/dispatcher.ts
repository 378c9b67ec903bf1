import type { Entry, MethodTable } from './methods.ts'
import { type ClientMessage, type OutRecord, ProtocolError, write } from './protocol.ts'
import { HubError, type Call, type ConnectionInfo, type HubLogger } from './types.ts'
import { Upload } from './upload.ts'

type CallMessage = Extract<ClientMessage, { type: 'call' }>

/** What the dispatcher needs of its connection. */
export interface DispatchPort<User> {
  readonly info: ConnectionInfo<User>
  readonly logger: HubLogger
  write(record: OutRecord): void
  /** Null while there is room; otherwise waits until the client has taken some of its output. */
  outputRoom(): Promise<void> | null
  /** Something that waited was taken, or a call ended. */
  inputTaken(): void
}

interface Queued {
  readonly message: CallMessage
  readonly uploads: Upload[]
  readonly abort: AbortController
}

/** After this many calls in a row the others on this process get their turn. */
const CALLS_PER_TURN = 256

/**
 * Runs the calls of one connection, one at a time and in order, so that completions come in the order of the calls.
 * Streams are started in that order and then run beside it. Each call with an id gets exactly one completion.
 */
export class Dispatcher<User> {
  readonly #port: DispatchPort<User>
  readonly #methods: MethodTable<User>
  readonly #maxStreams: number
  readonly #queue: Queued[] = []
  readonly #uploads = new Map<string, Upload>()
  readonly #streams = new Map<string, AbortController>()
  #current: Queued | null = null
  #started = false
  #stopped = false
  #pumping = false

  constructor(port: DispatchPort<User>, methods: MethodTable<User>, maxStreams: number) {
    this.#port = port
    this.#methods = methods
    this.#maxStreams = maxStreams
  }

  /** Calls and upload items that wait. */
  get waiting(): number {
    let items = 0
    for (const upload of this.#uploads.values()) items += upload.waiting
    return this.#queue.length + items
  }

  /** True while a call runs or waits: the client's silence means nothing then. */
  get busy(): boolean {
    return this.#pumping || this.#queue.length > 0
  }

  /** Calls that came before are served from now on. */
  start(): void {
    this.#started = true
    this.#pump()
  }

  /** The connection is over: running calls learn it by their signal, waiting ones are forgotten. */
  stop(): void {
    this.#stopped = true
    this.#current?.abort.abort()
    for (const abort of this.#streams.values()) abort.abort()
    for (const upload of this.#uploads.values()) upload.end('The connection ended.')
    this.#uploads.clear()
    this.#queue.length = 0
  }

  receive(message: ClientMessage): void {
    switch (message.type) {
      case 'call':
        this.#queue.push({
          message,
          uploads: message.uploads.map((id) => this.#openUpload(id)),
          abort: new AbortController(),
        })
        this.#pump()
        break
      case 'item':
        this.#uploads.get(message.id)?.push(message.item)
        break
      case 'completion':
        this.#uploads.get(message.id)?.end(message.error)
        break
      case 'cancel':
        this.#cancel(message.id)
        break
    }
  }

  #openUpload(id: string): Upload {
    if (this.#uploads.has(id)) throw new ProtocolError('protocolError', 'An upload id is used twice.')
    const upload = new Upload(() => this.#port.inputTaken())
    this.#uploads.set(id, upload)
    return upload
  }

  #closeUploads(queued: Queued): void {
    for (const [index, upload] of queued.uploads.entries()) {
      const id = queued.message.uploads[index]
      if (id !== undefined && this.#uploads.get(id) === upload) this.#uploads.delete(id)
      upload.drop()
    }
  }

  #cancel(id: string): void {
    this.#streams.get(id)?.abort()
    if (this.#current?.message.id === id) this.#current.abort.abort()
    for (const queued of this.#queue) if (queued.message.id === id) queued.abort.abort()
  }

  #pump(): void {
    if (this.#pumping || !this.#started || this.#stopped) return
    this.#pumping = true
    void this.#serve().finally(() => {
      this.#pumping = false
      this.#port.inputTaken()
    })
  }

  async #serve(): Promise<void> {
    for (let served = 1; !this.#stopped; served += 1) {
      const queued = this.#queue.shift()
      if (!queued) return
      this.#current = queued
      // A client that does not read its completions gets no more calls served.
      const room = this.#port.outputRoom()
      if (room) await room
      if (!this.#stopped) await this.#run(queued)
      this.#current = null
      this.#port.inputTaken()
      if (served % CALLS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #run(queued: Queued): Promise<void> {
    const { message } = queued
    const entry = this.#methods.get(message.target.toLowerCase())
    const refusal = this.#refusal(entry, queued)
    if (refusal !== null || !entry) {
      this.#complete(message.id, refusal ?? '')
      this.#closeUploads(queued)
      return
    }
    let args: readonly unknown[]
    try {
      args = entry.args.parse(message.args)
    } catch (err) {
      this.#port.logger.debug(
        { err, method: entry.name, connectionId: this.#port.info.connectionId },
        'hub call with wrong arguments',
      )
      this.#complete(message.id, `Failed to invoke '${entry.name}' due to an error on the server.`)
      this.#closeUploads(queued)
      return
    }
    const call: Call<User> = {
      connection: this.#port.info,
      user: this.#port.info.user,
      userId: this.#port.info.userId,
      signal: queued.abort.signal,
      uploads: queued.uploads,
    }
    if (entry.streaming) {
      void this.#stream(queued, entry.name, () => entry.handle(call, args))
      return
    }
    try {
      const result: unknown = await entry.handle(call, args)
      if (message.id !== null) this.#port.write(write.result(message.id, result))
    } catch (err) {
      this.#complete(message.id, this.#errorText(err, entry.name))
    } finally {
      this.#closeUploads(queued)
    }
  }

  /** Why a call cannot be served at all; null when it can. */
  #refusal(entry: Entry<User> | undefined, { message, uploads, abort }: Queued): string | null {
    const name = message.target.slice(0, 100)
    if (!entry) return `Unknown hub method '${name}'`
    if (abort.signal.aborted) return `The invocation of '${entry.name}' was canceled.`
    if (entry.streaming && !message.streaming)
      return `The method '${entry.name}' streams its answer; invoke it as a stream.`
    if (!entry.streaming && message.streaming)
      return `The method '${entry.name}' does not stream; invoke it without a stream.`
    if (uploads.length !== entry.uploads)
      return `Failed to invoke '${entry.name}' due to an error on the server.`
    if (entry.streaming && message.id !== null && this.#streams.has(message.id))
      return 'The invocation id is already in use.'
    if (entry.streaming && this.#streams.size >= this.#maxStreams) return 'Too many streams.'
    return null
  }

  async #stream(queued: Queued, name: string, open: () => AsyncIterable<unknown>): Promise<void> {
    const id = queued.message.id
    if (id === null) return
    const { signal } = queued.abort
    this.#streams.set(id, queued.abort)
    const canceled = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true })
    })
    let iterator: AsyncIterator<unknown> | null = null
    try {
      iterator = open()[Symbol.asyncIterator]()
      while (!signal.aborted) {
        const pending = iterator.next()
        // After a cancel nobody waits for it any more, and its failure is nobody's.
        pending.catch(() => undefined)
        const next = await Promise.race([pending, canceled])
        if (next === null || next.done) break
        this.#port.write(write.item(id, next.value))
        const room = this.#port.outputRoom()
        if (room) await Promise.race([room, canceled])
      }
      this.#complete(id, null)
    } catch (err) {
      this.#complete(id, this.#errorText(err, name))
    } finally {
      this.#streams.delete(id)
      this.#closeUploads(queued)
      // Not awaited: a generator that hangs in its own await would hold us here.
      if (signal.aborted)
        iterator
          ?.return?.()
          .catch((err: unknown) => this.#port.logger.debug({ err, method: name }, 'hub stream'))
    }
  }

  #complete(id: string | null, error: string | null): void {
    if (id !== null) this.#port.write(error === null ? write.result(id, undefined) : write.error(id, error))
  }

  #errorText(err: unknown, name: string): string {
    const text = `An unexpected error occurred invoking '${name}' on the server.`
    if (err instanceof HubError) return `${text} HubException: ${err.message}`
    if (!this.#stopped)
      this.#port.logger.error(
        { err, method: name, connectionId: this.#port.info.connectionId },
        'hub call failed',
      )
    return text
  }
}
