import {
  DEFAULT_AGENT_PARAMS,
  type AgentCommand,
  type AgentParams,
  type AgentSession,
} from '@weft/contract/agents/sessions'
import type { AgentExit } from '../exit-codes.ts'
import type { Logger } from '../log.ts'
import type { AgentApi } from './api.ts'
import { HeartbeatLoop, type HeartbeatState } from './heartbeat.ts'
import { Session, type SessionOptions } from './session.ts'
import { CommandStream } from './stream.ts'

export interface ConnectionOptions extends SessionOptions {
  state: () => Promise<HeartbeatState>
  /** Offers, cancellations and changes of the admin state; the same one may come twice, by both ways. */
  onCommand: (command: AgentCommand) => void
  onOpen: (session: AgentSession) => void
  onRefused: (exit: AgentExit) => void
}

/** Everything between this agent and its server: session, heartbeats, stream, calls. */
export class Connection {
  readonly api: AgentApi
  readonly heartbeat: HeartbeatLoop
  readonly #session: Session
  readonly #stream: CommandStream
  readonly #logger: Logger
  readonly #end = new AbortController()
  #params: AgentParams = DEFAULT_AGENT_PARAMS
  #loops: Promise<void>[] = []

  constructor(options: ConnectionOptions) {
    const signal = AbortSignal.any([options.signal, this.#end.signal])
    const { logger } = options
    this.#logger = logger
    this.#session = new Session({ ...options, signal })
    this.api = this.#session.api
    this.#session.onRefused = options.onRefused
    this.#session.onOpen = (session) => {
      this.#params = session.params
      options.onOpen(session)
    }
    const onCommand = (command: AgentCommand) => {
      if (command.type === 'params') {
        this.#params = command.params
        // What is being waited for was measured by the old ones.
        this.heartbeat.hurry()
      }
      options.onCommand(command)
    }
    this.heartbeat = new HeartbeatLoop({
      session: this.#session,
      params: () => this.#params,
      state: options.state,
      onCommand,
      logger,
      signal,
    })
    this.#stream = new CommandStream({
      serverUrl: options.identity.serverUrl,
      session: this.#session,
      onCommand,
      logger,
      signal,
    })
  }

  /** The times and sizes that the server gave last. */
  get params(): AgentParams {
    return this.#params
  }

  get token(): string | undefined {
    return this.#session.token
  }

  /** Opens the session, then keeps heartbeats and the stream going. */
  async open(): Promise<AgentSession> {
    const session = await this.#session.open()
    this.#loops = [this.heartbeat.run(), this.#stream.run()]
    this.#logger.info('Connected.', {
      client: session.name,
      protocol: session.protocol,
      admin: session.admin,
    })
    return session
  }

  /** Ends heartbeats and the stream. */
  async close(): Promise<void> {
    this.#end.abort()
    await Promise.all(this.#loops)
  }
}
