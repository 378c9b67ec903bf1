import type { NewEvent, PendingFile } from '../supervisor/journal.ts'
import { StepError } from '@weft/workflow/errors'
import type { ExecutorRequest, FromExecutor, Reply, ToExecutor } from './protocol.ts'

/** Errors of the supervisor's answers that mean: the thing asked for is not there. */
export class RequestFailed extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'RequestFailed'
    this.code = code
  }
}

/** The executor's end of the line to its supervisor. When the line is cut, the process ends: nobody could stop it. */
export class Channel {
  readonly #pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  #nextId = 1

  /** Listens; replies are handled here, everything else is passed on. */
  listen(receive: (message: Exclude<ToExecutor, { type: 'reply' }>) => void): void {
    process.on('message', (message: ToExecutor) => {
      if (message.type === 'reply') this.#settle(message.id, message.reply)
      else receive(message)
    })
    // Playwright ends its browsers when the process exits.
    process.on('disconnect', () => process.exit(0))
  }

  event(event: NewEvent): void {
    this.#send({ type: 'event', event })
  }

  log(text: string): void {
    this.#send({ type: 'log', text })
  }

  file(file: PendingFile): void {
    this.#send({ type: 'file', file })
  }

  say(message: Extract<FromExecutor, { type: 'ready' | 'browser' | 'ended' }>): void {
    this.#send(message)
  }

  /** Asks the supervisor and waits for its answer. */
  async request(request: ExecutorRequest): Promise<unknown> {
    const id = this.#nextId++
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.set(id, { resolve, reject })
    this.#send({ type: 'request', id, request })
    return promise
  }

  #settle(id: number, reply: Reply): void {
    const waiting = this.#pending.get(id)
    this.#pending.delete(id)
    if (reply.ok) waiting?.resolve(reply.value)
    else waiting?.reject(new RequestFailed(reply.code, reply.message))
  }

  #send(message: FromExecutor): void {
    if (process.send && process.connected) process.send(message)
    else throw new StepError('Internal', 'The supervisor is gone.')
  }
}
