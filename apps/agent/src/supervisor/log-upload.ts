import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentParams } from '@weft/contract/agents/sessions'
import { CallError } from '@weft/contract/core/client'
import type { AgentApi } from '../connection/api.ts'
import { Backoff, isPassing, pause } from '../connection/backoff.ts'
import { describeError, type Logger } from '../log.ts'
import type { RunJournal } from './journal.ts'

const NEWLINE = 10

/**
 * One run's log: a file that only grows, and its bytes on their way to the server. What the server has is told by the
 * server: a gap is answered with where to go on from.
 */
export class LogUpload {
  readonly #journal: RunJournal
  readonly #api: AgentApi
  readonly #params: () => AgentParams
  readonly #logger: Logger
  readonly #fd: number
  #size: number
  #sent = 0
  #capped = false
  #refused = false
  #sending: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: { journal: RunJournal; api: AgentApi; params: () => AgentParams; logger: Logger }) {
    this.#journal = options.journal
    this.#api = options.api
    this.#params = options.params
    this.#logger = options.logger
    const path = join(options.journal.folder, 'log.ndjson')
    this.#fd = openSync(path, 'a+', 0o600)
    this.#size = statSync(path).size
  }

  get size(): number {
    return this.#size
  }

  /** Adds whole lines. Past the cap the log says so once and takes no more. */
  append(text: string): void {
    if (this.#capped) return
    let bytes = Buffer.from(text)
    const cap = this.#params().logCapBytes
    if (this.#size + bytes.length > cap) {
      this.#capped = true
      const line = {
        at: new Date().toISOString(),
        level: 'warn',
        stepId: null,
        text: 'The log is full; the rest is left out.',
      }
      bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    }
    try {
      this.#size += writeSync(this.#fd, bytes)
    } catch (error) {
      this.#capped = true
      this.#journal.onDiskTrouble(error)
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      // A failure is not lost: the next flush, or the last one, begins where this one ended.
      this.flush().catch((error: unknown) =>
        this.#logger.debug('The log waits.', { error: describeError(error) }),
      )
    }, this.#params().logFlushMs)
  }

  /** Sends everything written so far; throws where the server cannot be reached. */
  async flush(): Promise<void> {
    while (this.#sending) await this.#sending
    this.#sending = this.#send().finally(() => {
      this.#sending = undefined
    })
    await this.#sending
  }

  /** Sends the rest, with patience. */
  async complete(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#timer)
    const backoff = new Backoff()
    while (!this.#refused && this.#sent < this.#size && !signal.aborted) {
      try {
        await this.flush()
      } catch (error) {
        if (!isPassing(error)) {
          this.#logger.error('The log was not taken.', { error: describeError(error) })
          return
        }
        await pause(backoff.delayMs(error), signal)
      }
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#refused = true
    closeSync(this.#fd)
  }

  async #send(): Promise<void> {
    const { runId, leaseToken } = this.#journal.holder
    while (!this.#refused && this.#sent < this.#size) {
      const offset = this.#sent
      const body = this.#read(offset)
      try {
        const { size } = await this.#api.log({ id: runId, leaseToken, offset }, { body, timeoutMs: 30_000 })
        this.#sent = Math.max(size, offset + body.length)
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        const from = error.body.params?.['from']
        if (error.httpStatus === 416 && typeof from === 'number' && from !== offset) this.#sent = from
        else if (error.code === 'agent.unknown_run') this.#refused = true
        else throw error
      }
    }
  }

  /** Bytes from an offset, cut after a whole line where one fits, so that the live view shows whole lines. */
  #read(offset: number): Uint8Array<ArrayBuffer> {
    const buffer = new Uint8Array(Math.min(this.#params().chunkBytes * 4, this.#size - offset))
    const length = readSync(this.#fd, buffer, 0, buffer.length, offset)
    const lastLine = buffer.lastIndexOf(NEWLINE, length - 1)
    return buffer.slice(0, lastLine > 0 ? lastLine + 1 : length)
  }
}
