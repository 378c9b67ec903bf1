import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sessionPayload, type AgentSession } from '@weft/contract/agents/sessions'
import { CallError } from '@weft/contract/core/client'
import { z } from 'zod'
import { AgentExit, EXIT } from '../exit-codes.ts'
import { describeError, type Logger } from '../log.ts'
import type { Browser } from '../machine/browsers.ts'
import { AGENT_VERSION, versionsWith } from '../version.ts'
import { createApi, type AgentApi } from './api.ts'
import { Backoff, isPassing, pause } from './backoff.ts'
import { signText, writeDurably, type Identity } from './identity.ts'

/** Which start of the program this is, and which was before it in the same data folder. */
export interface Instance {
  id: string
  previousId: string | null
}

/** Notes this start in the data folder, so that it may take over the session of the one before. */
export async function beginInstance(dataDir: string): Promise<Instance> {
  const path = join(dataDir, 'instance')
  const text = await readFile(path, 'utf8').catch(() => '')
  const previous = z.uuid().safeParse(text.trim())
  const id = randomUUID()
  await writeDurably(path, id)
  return { id, previousId: previous.success ? previous.data : null }
}

export interface SessionOptions {
  identity: Identity
  instance: Instance
  machineId: string
  slots: number
  browsers: readonly Browser[]
  logger: Logger
  signal: AbortSignal
}

/** Skew beyond which it is worth a line; nothing depends on clocks agreeing. */
const SKEW_WORTH_TELLING_SECONDS = 5

/**
 * The session with the server: opened by signature, kept by heartbeats, opened again when the server no longer takes the
 * token. Opening waits out lost networks and restarting servers; it throws `AgentExit` where waiting cannot help.
 */
export class Session {
  readonly api: AgentApi
  readonly #options: SessionOptions
  #token: string | undefined
  #info: AgentSession | undefined
  #opening: Promise<AgentSession> | undefined
  /** Called when the server will not have this agent any more. */
  onRefused: (exit: AgentExit) => void = () => undefined
  /** Called after each opening, the first included. */
  onOpen: (session: AgentSession) => void = () => undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.api = createApi({
      serverUrl: options.identity.serverUrl,
      token: () => this.#token,
      reopen: async () => {
        await this.open()
      },
    })
  }

  get token(): string | undefined {
    return this.#token
  }

  get info(): AgentSession | undefined {
    return this.#info
  }

  /** Takes the new token that a heartbeat's answer brought. */
  renew(token: string): void {
    this.#token = token
  }

  /** Opens the session; calls at the same time share one opening. */
  async open(): Promise<AgentSession> {
    this.#opening ??= this.#openWithPatience().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #openWithPatience(): Promise<AgentSession> {
    const { logger, signal } = this.#options
    const backoff = new Backoff()
    for (;;) {
      try {
        const session = await this.#openOnce()
        this.#token = session.token
        this.#info = session
        this.onOpen(session)
        return session
      } catch (error) {
        const exit = exitFor(error)
        if (exit) {
          this.onRefused(exit)
          throw exit
        }
        if (!isPassing(error)) logger.error('The session cannot be opened.', { error: describeError(error) })
        const waitMs = backoff.delayMs(error)
        logger.warn('No session yet.', { error: describeError(error), waitMs: Math.round(waitMs) })
        await pause(waitMs, signal)
        signal.throwIfAborted()
      }
    }
  }

  async #openOnce(): Promise<AgentSession> {
    const { identity, instance, machineId, slots, browsers, logger, signal } = this.#options
    const { clientId } = identity
    const { nonce } = await this.api.challenge({ clientId }, { signal })
    const session = await this.api.session(
      {
        clientId,
        nonce,
        instanceId: instance.id,
        previousInstanceId: instance.previousId,
        machineId,
        signature: signText(identity, sessionPayload({ clientId, nonce, instanceId: instance.id })),
        clock: new Date().toISOString(),
        slots,
        versions: versionsWith(browsers),
      },
      { signal },
    )
    if (session.updateOnly)
      throw new AgentExit(
        EXIT.updateNeeded,
        `This agent's version ${AGENT_VERSION} is below the server's minimum. Update it; it takes no work until then.`,
      )
    if (Math.abs(session.clockSkewSeconds) > SKEW_WORTH_TELLING_SECONDS)
      logger.warn('This machine and the server disagree about the time; leases do not depend on it.', {
        aheadSeconds: session.clockSkewSeconds,
      })
    return session
  }
}

/** Whether a refusal is one that waiting cannot mend. */
function exitFor(error: unknown): AgentExit | undefined {
  if (error instanceof AgentExit) return error
  if (!(error instanceof CallError)) return undefined
  switch (error.code) {
    case 'agent.session_conflict':
      return new AgentExit(
        EXIT.conflict,
        'Another agent is connected with this identity. Each client needs its own: stop the other one, choose "Take over" in the console, or join anew with another data folder.',
      )
    case 'agent.unsupported_protocol':
      return new AgentExit(
        EXIT.updateNeeded,
        `The server no longer speaks the protocol of agent ${AGENT_VERSION}. Update the agent.`,
      )
    case 'client.revoked':
    case 'agent.wrong_signature':
    case 'record.not_found':
      return new AgentExit(
        EXIT.refused,
        `The server does not accept this agent (${error.code}). Join anew with a new code if it should.`,
      )
    default:
      return undefined
  }
}
