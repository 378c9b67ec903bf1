import { randomUUID } from 'node:crypto'
import type { AgentCommand } from '@weft/contract/agents/sessions'
import { createLogger, describeError, type Logger } from '../log.ts'
import { versionsWith } from '../version.ts'
import { createApi, type AgentApi } from './api.ts'
import { isPassing, pause } from './backoff.ts'
import { Connection } from './connection.ts'
import { createIdentity, usableIdentity, type Identity } from './identity.ts'

export interface SimulatedAgentOptions {
  serverUrl: string
  /** A join code, or the identity of an agent that joined before. */
  joinCode?: string
  identity?: Identity
  slots: number
  name?: string
  logger?: Logger
}

/** What a simulated agent has done so far. */
export interface SimulatedCounts {
  offered: number
  claimed: number
  started: number
  finished: number
  refused: number
  failedCalls: number
}

/** An agent without executors. */
export interface SimulatedAgent {
  identity: Identity
  counts: Readonly<SimulatedCounts>
  stop: () => Promise<void>
}

type Offer = Extract<AgentCommand, { type: 'offer' }>
interface Holder {
  runId: string
  leaseToken: string
}

const MACHINE_ID = 'simulated'

/**
 * An agent that talks to a server as a real one does (session, heartbeats, stream, batched calls) and finishes each run at
 * once with nothing done: it measures the server, not browsers.
 */
export async function startSimulatedAgent(options: SimulatedAgentOptions): Promise<SimulatedAgent> {
  const identity = options.identity ?? (await join(options))
  const logger = options.logger ?? createLogger('silent')
  const end = new AbortController()
  const worker = new SimulatedWorker(options.slots, logger, end.signal)
  const connection = new Connection({
    identity,
    instance: { id: randomUUID(), previousId: null },
    machineId: MACHINE_ID,
    slots: options.slots,
    browsers: [],
    logger,
    signal: end.signal,
    state: async () => ({
      slots: [],
      freeSlots: worker.free,
      userIns: 0,
      cpu: null,
      memMb: null,
      diskFreeMb: null,
      localIp: null,
      refusing: null,
      state: 'running',
    }),
    onCommand: (command) => {
      if (command.type === 'offer') worker.offer(command)
    },
    onOpen: () => undefined,
    onRefused: (exit) => logger.error(exit.message),
  })
  worker.api = connection.api
  await connection.open()
  return {
    identity,
    counts: worker.counts,
    stop: async () => {
      await worker.idle()
      end.abort()
      await connection.close()
    },
  }
}

async function join({ serverUrl, joinCode, name, slots }: SimulatedAgentOptions): Promise<Identity> {
  if (joinCode === undefined) throw new Error('A simulated agent needs a join code or an identity.')
  const stored = createIdentity(serverUrl)
  const answer = await createApi({ serverUrl, token: () => undefined }).register({
    joinCode,
    publicKey: stored.publicKey,
    machineId: MACHINE_ID,
    name: name ?? 'simulated',
    os: 'simulated',
    arch: 'simulated',
    slots,
    labels: [],
    versions: versionsWith([]),
  })
  const identity = usableIdentity({ ...stored, ...answer })
  if (!identity) throw new Error('The server sent an incomplete identity.')
  return identity
}

/** Takes what fits into its slots, in batches of one moment: claim, start, finish. */
class SimulatedWorker {
  api: AgentApi | undefined
  readonly counts: SimulatedCounts = {
    offered: 0,
    claimed: 0,
    started: 0,
    finished: 0,
    refused: 0,
    failedCalls: 0,
  }
  readonly #slots: number
  readonly #logger: Logger
  readonly #signal: AbortSignal
  readonly #held = new Set<string>()
  #queue: Offer[] = []

  constructor(slots: number, logger: Logger, signal: AbortSignal) {
    this.#slots = slots
    this.#logger = logger
    this.#signal = signal
  }

  get free(): number {
    return this.#slots - this.#held.size
  }

  offer(offer: Offer): void {
    if (this.#held.has(offer.runId) || this.free <= 0) return
    this.counts.offered += 1
    this.#held.add(offer.runId)
    this.#queue.push(offer)
    if (this.#queue.length > 1) return
    setImmediate(() => {
      const batch = this.#queue
      this.#queue = []
      void this.#work(batch)
    })
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#held.size > 0) await pause(10)
  }

  async #work(offers: readonly Offer[]): Promise<void> {
    const { api } = this
    try {
      if (!api) return
      const offered = offers.map(({ runId, leaseToken }) => ({ runId, leaseToken }))
      const claimed = await this.#passed(offered, () => api.claim({ claims: offered }))
      this.counts.claimed += claimed.length
      const started = await this.#passed(claimed, () => api.start({ runs: claimed }))
      this.counts.started += started.length
      await this.#finish(api, started)
    } catch (error) {
      this.#logger.warn('A simulated batch failed.', { error: describeError(error) })
    } finally {
      for (const { runId } of offers) this.#held.delete(runId)
    }
  }

  async #passed(
    holders: readonly Holder[],
    act: () => Promise<{ results: { runId: string; ok: boolean }[] }>,
  ): Promise<Holder[]> {
    if (holders.length === 0) return []
    const { results } = await this.#tried(act)
    const good = new Set(results.flatMap(({ ok, runId }) => (ok ? [runId] : [])))
    this.counts.refused += holders.length - good.size
    return holders.filter(({ runId }) => good.has(runId))
  }

  async #finish(api: AgentApi, holders: readonly Holder[]): Promise<void> {
    if (holders.length === 0) return
    const runs = holders.map((holder) => ({
      ...holder,
      result: 'succeeded' as const,
      error: null,
      outputs: {},
      eventCount: 0,
      logBytes: 0,
      browser: null,
    }))
    const { results } = await this.#tried(() => api.finish({ runs }))
    const accepted = results.filter(({ status }) => status === 'accepted').length
    this.counts.finished += accepted
    this.counts.refused += results.length - accepted
  }

  /** Calls until it is answered: a server that is killed meanwhile comes back. */
  async #tried<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await act()
      } catch (error) {
        this.counts.failedCalls += 1
        if (!isPassing(error) || this.#signal.aborted) throw error
        await pause(200, this.#signal)
      }
    }
  }
}
