import { HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr'
import { AGENT_STREAM_PATH } from '@weft/contract/agents/api'
import { AGENT_COMMAND_METHOD, commandSchema, type AgentCommand } from '@weft/contract/agents/sessions'
import { z } from 'zod'
import { describeError, type Logger } from '../log.ts'
import { Backoff, pause } from './backoff.ts'
import type { Session } from './session.ts'

const envelopeSchema = z.object({ method: z.string(), message: z.unknown() })

export interface StreamOptions {
  serverUrl: string
  session: Session
  onCommand: (command: AgentCommand) => void
  logger: Logger
  signal: AbortSignal
}

/** A connection that held this long was a good one: the next loss begins with the shortest wait. */
const SETTLED_MS = 30_000

/**
 * The long-lived stream on which commands arrive at once: WebSockets, server-sent events or long polling, whichever gets
 * through. It is a convenience: everything on it comes in the heartbeat's answers too, so losing it loses nothing.
 */
export class CommandStream {
  readonly #options: StreamOptions
  #connected = false

  constructor(options: StreamOptions) {
    this.#options = options
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Holds the stream open until the signal ends it. */
  async run(): Promise<void> {
    const { logger, signal } = this.#options
    const backoff = new Backoff()
    while (!signal.aborted) {
      const began = performance.now()
      let failure: unknown
      try {
        failure = await this.#hold()
      } catch (error) {
        failure = error
      }
      this.#connected = false
      if (signal.aborted) return
      if (performance.now() - began > SETTLED_MS) backoff.reset()
      const waitMs = backoff.delayMs(failure)
      logger.warn('The stream is not open; heartbeats bring the commands.', {
        error: failure === undefined ? 'closed' : describeError(failure),
        waitMs: Math.round(waitMs),
      })
      await pause(waitMs, signal)
    }
  }

  /** Opens the stream and waits for its end. */
  async #hold(): Promise<unknown> {
    const { serverUrl, session, signal, logger } = this.#options
    const connection = new HubConnectionBuilder()
      .withUrl(serverUrl + AGENT_STREAM_PATH, { accessTokenFactory: () => session.token ?? '' })
      .configureLogging(LogLevel.None)
      .build()
    const closed = new Promise<Error | undefined>((resolve) => connection.onclose(resolve))
    connection.on('send', (envelope: unknown) => this.#receive(envelope))
    const stop = () => void closeQuietly(connection, logger)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await connection.start()
      this.#connected = true
      logger.debug('The stream is open.')
      if (signal.aborted) stop()
      return await closed
    } catch (error) {
      // A stale token is refused here too; only a call of our own makes the session open anew.
      if (/\b401\b|Unauthorized/.test(describeError(error))) await session.open()
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  #receive(envelope: unknown): void {
    const { onCommand, logger } = this.#options
    const outer = envelopeSchema.safeParse(envelope)
    if (!outer.success || outer.data.method !== AGENT_COMMAND_METHOD) return
    const command = commandSchema.safeParse(outer.data.message)
    if (command.success) onCommand(command.data)
    else logger.warn('A command of an unknown shape was left alone; the server may be newer than this agent.')
  }
}

async function closeQuietly(connection: HubConnection, logger: Logger): Promise<void> {
  try {
    await connection.stop()
  } catch (error) {
    logger.debug('The stream did not close cleanly.', { error: describeError(error) })
  }
}
