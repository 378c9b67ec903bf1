import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { runEventSchema } from '@weft/contract/agents/reports'
import { encodeFrame } from '@weft/contract/attended-runs/frame'
import { CallError } from '@weft/contract/core/client'
import type { AgentApi } from '../connection/api.ts'
import { isPassing, pause } from '../connection/backoff.ts'
import type { ExecutorRequest, Reply } from '../executor/protocol.ts'
import { describeError } from '../log.ts'
import type { HeldRun } from './held-run.ts'
import type { Reporter } from './reporter.ts'
import { readDocument } from './verify.ts'

const TRIES = 5
const FRAME_MS = 10_000

/** Does for an executor what only the supervisor can: it has the session, and the journal. */
export class Requests {
  readonly #api: AgentApi
  readonly #reporter: Reporter
  readonly #signal: AbortSignal

  constructor(options: { api: AgentApi; reporter: Reporter; signal: AbortSignal }) {
    this.#api = options.api
    this.#reporter = options.reporter
    this.#signal = options.signal
  }

  async answer(run: HeldRun, request: ExecutorRequest): Promise<Reply> {
    try {
      return { ok: true, value: await this.#serve(run, request) }
    } catch (error) {
      const code = error instanceof CallError ? error.code : 'agent.failed'
      return { ok: false, code, message: describeError(error) }
    }
  }

  async #serve(run: HeldRun, request: ExecutorRequest): Promise<unknown> {
    const { runId, leaseToken } = run.journal.holder
    switch (request.kind) {
      case 'intent':
        return this.#announce(run, request.event)
      case 'secret':
        return this.#tried(async () => {
          const { value } = await this.#api.secret({ runId, leaseToken, handle: request.handle })
          return value
        })
      case 'workflow':
        return this.#tried(async () => {
          const release = request.release ?? undefined
          const { document } = await this.#api.subworkflow({
            id: runId,
            workflowId: request.workflowId,
            leaseToken,
            release,
          })
          return readDocument(document)
        })
      case 'inputFile':
        return this.#tried(async () => {
          const response = await this.#api.inputFile({ id: runId, fileId: request.fileId, leaseToken })
          const path = await save(response, join(run.journal.folder, 'files', request.fileId))
          return { path, name: fileNameOf(response) ?? request.fileId }
        })
      case 'wait':
        return this.#waited(async () => {
          const { seq, wait } = request
          return (await this.#api.wait({ id: runId, leaseToken, seq, wait })).end
        })
      case 'frame': {
        const bytes = encodeFrame({
          meta: request.meta,
          jpeg: new Uint8Array(Buffer.from(request.jpeg, 'base64')),
        })
        // Not tried again: by then there is a newer one.
        return this.#api.frame({ id: runId, leaseToken }, { body: bytes, timeoutMs: FRAME_MS })
      }
      default:
        return this.#tried(async () => {
          const response = await this.#api.snapshot({ id: runId, leaseToken })
          return save(response, join(run.journal.folder, 'profile.fetched'))
        })
    }
  }

  /** Writes an intent down, durably, and waits until the server has it. */
  async #announce(run: HeldRun, raw: unknown): Promise<null> {
    const { journal } = run
    const event = runEventSchema.parse({
      ...(typeof raw === 'object' ? raw : {}),
      seq: journal.eventCount + 1,
    })
    const { seq } = journal.append(event)
    await journal.durable()
    await this.#reporter.acknowledged(journal.holder.runId, seq)
    return null
  }

  /** Whether a wait is over. A server that is away says nothing of it: the executor asks again, for as long as its lease holds. */
  async #waited<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask()
    } catch (error) {
      if (!isPassing(error) || this.#signal.aborted) throw error
      return null
    }
  }

  async #tried<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (tries >= TRIES || !isPassing(error) || this.#signal.aborted) throw error
        await pause(500 * tries, this.#signal)
      }
    }
  }
}

async function save(response: Response, path: string): Promise<string> {
  if (!response.body) throw new Error('The server sent no content.')
  await pipeline(chunksOf(response.body), createWriteStream(path, { mode: 0o600 }))
  return path
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } finally {
    await reader.cancel()
  }
}

function fileNameOf(response: Response): string | undefined {
  const header = response.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1]
  if (encoded !== undefined) return decodeURIComponent(encoded)
  return /filename="([^"]+)"/i.exec(header)?.[1]
}
