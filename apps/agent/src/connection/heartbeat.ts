import type { AgentCommand, AgentParams, Heartbeat } from '@weft/contract/agents/sessions'
import { describeError, type Logger } from '../log.ts'
import { Backoff, jitter, pause } from './backoff.ts'
import type { Session } from './session.ts'

/** What the agent says of itself; number and clock are added here. */
export type HeartbeatState = Omit<Heartbeat, 'seq' | 'clock'>

export interface HeartbeatOptions {
  session: Session
  params: () => AgentParams
  state: () => Promise<HeartbeatState>
  onCommand: (command: AgentCommand) => void
  logger: Logger
  signal: AbortSignal
}

/** An unanswered heartbeat must not keep the next one waiting: commands come with the answers. */
const MAX_TIMEOUT_MS = 10_000
const MIN_TIMEOUT_MS = 2000

/** Tells the server in regular intervals that the agent lives and how it is, and takes the commands in the answer. */
export class HeartbeatLoop {
  readonly #options: HeartbeatOptions
  #seq = 0
  #wake: AbortController | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /** Beats until the signal ends it. */
  async run(): Promise<void> {
    const { params, logger, signal } = this.#options
    const backoff = new Backoff()
    while (!signal.aborted) {
      let waitMs: number
      try {
        await this.beat()
        backoff.reset()
        waitMs = jitter(params().heartbeatSeconds * 1000)
      } catch (error) {
        if (signal.aborted) return
        waitMs = backoff.delayMs(error)
        logger.warn('The heartbeat was not taken.', {
          error: describeError(error),
          waitMs: Math.round(waitMs),
        })
      }
      this.#wake = new AbortController()
      await pause(waitMs, AbortSignal.any([signal, this.#wake.signal]))
    }
  }

  /** Beats now instead of at the end of the interval. */
  hurry(): void {
    this.#wake?.abort()
  }

  /** One heartbeat; throws when it is not taken. */
  async beat(options: { timeoutMs?: number } = {}): Promise<void> {
    const { session, state, params, onCommand, signal } = this.#options
    const ownMs = Math.min(Math.max(params().heartbeatSeconds * 1000, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS)
    const answer = await session.api.heartbeat(
      { seq: this.#seq++, clock: new Date().toISOString(), ...(await state()) },
      { timeoutMs: options.timeoutMs ?? ownMs, signal },
    )
    if (answer.token !== null) session.renew(answer.token)
    for (const command of answer.commands) onCommand(command)
  }
}
