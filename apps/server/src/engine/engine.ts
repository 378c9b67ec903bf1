import type { KeyObject } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { AgentCommand, AgentParams } from '@weft/contract/agents/sessions'
import type { Tx } from '../db/connection.ts'
import { assign, type Offer } from '../features/campaigns/dispatch/assign.ts'
import { settleCampaign, type CampaignChange } from '../features/campaigns/settle-campaign.ts'
import { leaseToken } from '../features/runs/lease-token.ts'
import { beat, sweepRuns } from '../features/runs/sweep.ts'
import type { Ended } from '../features/runs/end.ts'

/** What the engine needs of the process it runs in. */
export interface EngineDeps {
  db: Tx
  /** Secret from which lease tokens are derived. */
  leaseKey: KeyObject
  params: () => AgentParams
  /** Whether the installation is open for work: not under maintenance and not read-only. */
  isOpen: () => Promise<boolean>
  /** Sends a command to a client's agent, wherever it is connected; best effort. */
  deliver: (clientId: string, command: AgentCommand) => void
  /** Tells watching people of a change. */
  publish: (change: Published) => void
  /** Tells who started a test run that it is over. */
  testEnded: (runId: string, test: NonNullable<Ended['test']>) => void
  /** Wakes the dispatchers of other processes. */
  wakeOthers: (clientId: string | null) => void
  log: { info: (data: object, text: string) => void; error: (data: object, text: string) => void }
  /** Whether this process dispatches and sweeps. */
  dispatches: boolean
}

/** A change of a campaign, a run or a client that pages should show. */
export interface Published {
  feature: 'campaigns' | 'runs' | 'clients' | 'accounts'
  id: string
  kind: 'updated' | 'progress'
  ownerId: string | null
  parentId?: string | null
}

const SWEEP_MS = 1000
const PARALLEL = 2
/** Clients that are given work in one transaction. */
const TOGETHER = 50
const GATHER_MS = 3

/**
 * The running part of campaigns in one process: it gives ready items to clients with free slots, ends what nobody holds
 * any more, and moves campaigns on when their items are settled. All it knows is in the database; losing the process
 * loses nothing, and any number of processes may do the same at once.
 */
export class Engine {
  readonly #deps: EngineDeps
  readonly #hungry = new Set<string>()
  readonly #unsettled = new Set<string>()
  /** Campaigns whose items moved, as pages should know. */
  readonly #changed = new Set<string>()
  #everyone = false
  #feeding: Promise<void> | null = null
  #settling: Promise<void> | null = null
  #sweeping: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #stopped = false

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  get params(): AgentParams {
    return this.#deps.params()
  }

  /** Whether work may begin; what is under way goes on in any case. */
  isOpen(): Promise<boolean> {
    return this.#deps.isOpen()
  }

  get leaseKey(): KeyObject {
    return this.#deps.leaseKey
  }

  start(): void {
    if (!this.#deps.dispatches) return
    this.#timer = setInterval(() => this.#tick(), SWEEP_MS)
    this.#tick()
  }

  /** Lets what is under way end; nothing new begins. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearInterval(this.#timer)
    await Promise.allSettled([this.#feeding, this.#settling, this.#sweeping])
  }

  /** A client may have a free slot, or (null) there is new work for all. */
  wake(clientId: string | null): void {
    if (!this.#deps.dispatches) return this.#deps.wakeOthers(clientId)
    if (clientId === null) this.#everyone = true
    else this.#hungry.add(clientId)
    this.#feed()
  }

  /** Follows up on ended runs, after their commit: free slots, campaigns to move on, pages to tell. */
  ended(all: readonly Ended[]): void {
    for (const entry of all) {
      if (entry.campaignId) {
        this.#unsettled.add(entry.campaignId)
        this.#changed.add(entry.campaignId)
      }
      this.#deps.publish({
        feature: 'runs',
        id: entry.runId,
        kind: 'progress',
        ownerId: entry.ownerId,
        parentId: entry.campaignId,
      })
      if (entry.accountMoved && entry.accountId)
        this.#deps.publish({
          feature: 'accounts',
          id: entry.accountId,
          kind: 'updated',
          ownerId: entry.ownerId,
        })
      if (entry.test) this.#deps.testEnded(entry.runId, entry.test)
      this.wake(entry.clientId)
    }
    this.#settleSoon()
  }

  /** A campaign whose counts or state may have consequences. */
  look(campaignId: string): void {
    this.#unsettled.add(campaignId)
    this.#changed.add(campaignId)
    this.#settleSoon()
  }

  publish(change: Published): void {
    this.#deps.publish(change)
  }

  deliver(clientId: string, command: AgentCommand): void {
    this.#deps.deliver(clientId, command)
  }

  /** The offer as its agent is told of it. */
  offerCommand(offer: Offer): AgentCommand {
    return {
      type: 'offer',
      runId: offer.runId,
      attempt: offer.attempt,
      leaseToken: leaseToken(this.#deps.leaseKey, {
        id: offer.runId,
        clientId: offer.clientId,
        fence: offer.fence,
      }),
      deadlineSeconds: this.params.offerSeconds,
    }
  }

  #tick(): void {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = null
    })
    this.wake(null)
  }

  async #sweep(): Promise<void> {
    await this.#guard('sweep', async () => {
      await this.#deps.db.transaction((tx) => beat(tx, this.params.leaseSeconds))
      for (;;) {
        const ended = await this.#deps.db.transaction((tx) => sweepRuns(tx))
        this.ended(ended)
        if (ended.length === 0 || this.#stopped) break
      }
      const live = await this.#deps.db.execute(sql`
        select id from campaign where state in ('running', 'pausing', 'completing', 'cancelling')`)
      for (const row of live.rows) this.#unsettled.add(z.object({ id: z.string() }).parse(row).id)
      this.#settleSoon()
    })
  }

  #feed(): void {
    if (this.#feeding || this.#stopped) return
    this.#feeding = this.#feedOnce().finally(() => {
      this.#feeding = null
      if (!this.#stopped && (this.#hungry.size > 0 || this.#everyone)) this.#feed()
    })
  }

  /** Without a database it would be asked again and again, hundreds of times a second. */
  async #feedOnce(): Promise<void> {
    if (!(await this.#guard('dispatch', () => this.#feedAll()))) this.#forgetHunger()
  }

  async #feedAll(): Promise<void> {
    if (!(await this.#deps.isOpen())) {
      this.#forgetHunger()
      return
    }
    // Slots that become free at about the same time are filled together.
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS))
    if (this.#everyone) {
      this.#everyone = false
      await this.#guard('find clients', async () => {
        const found = await this.#deps.db.execute(sql`
          select distinct c.id from campaign k
          join campaign_resource cr on cr.campaign_id = k.id and cr.kind = 'clients'
          join client c on c.id = cr.resource_id
          where k.state in ('running', 'completing') and c.session_hash is not null and c.deleted_at is null
            and c.last_seen_at > now() - make_interval(secs => ${this.params.lateSeconds})`)
        for (const row of found.rows) this.#hungry.add(z.object({ id: z.string() }).parse(row).id)
      })
    }
    const feedSome = async () => {
      while (this.#hungry.size > 0 && !this.#stopped) {
        const clientIds = [...this.#hungry].slice(0, TOGETHER)
        for (const id of clientIds) this.#hungry.delete(id)
        await this.#guard('dispatch', async () => {
          const offers = await this.#deps.db.transaction((tx) => assign(tx, clientIds, this.params))
          for (const offer of offers) this.#deps.deliver(offer.clientId, this.offerCommand(offer))
        })
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, feedSome))
  }

  #settleSoon(): void {
    if (this.#settling || this.#unsettled.size === 0) return
    this.#settling = this.#settleAll().finally(() => {
      this.#settling = null
      if (!this.#stopped) this.#settleSoon()
    })
  }

  async #settleAll(): Promise<void> {
    // One look at a campaign serves all the runs that end at about the same time.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const ids = [...this.#unsettled]
    this.#unsettled.clear()
    for (const id of ids)
      await this.#guard('settle campaign', async () => {
        const change = await this.#deps.db.transaction((tx) => settleCampaign(tx, id))
        if (!change) return
        this.#announce(change)
        this.ended(change.ended)
      })
  }

  #announce(change: CampaignChange): void {
    if (!this.#changed.delete(change.id) && !change.moved) return
    this.#deps.publish({
      feature: 'campaigns',
      id: change.id,
      kind: change.moved ? 'updated' : 'progress',
      ownerId: change.ownerId,
    })
    if (change.moved) this.wake(null)
  }

  /** The next tick asks again for all. */
  #forgetHunger(): void {
    this.#everyone = false
    this.#hungry.clear()
  }

  /** A failure of the background work is logged; the next tick tries again. Gives whether it went well. */
  async #guard(what: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!this.#stopped) this.#deps.log.error({ err: error }, `engine: ${what} failed`)
      return false
    }
  }
}
