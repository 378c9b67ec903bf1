import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { accounts } from '@weft/contract/accounts/api'
import { campaigns } from '@weft/contract/campaigns/api'
import type { CampaignState, ItemState } from '@weft/contract/campaigns/states'
import type { Campaign, Item } from '@weft/contract/campaigns/schema'
import { clients } from '@weft/contract/clients/api'
import { CallError, type ClientOf } from '@weft/contract/core/client'
import type { InputOf } from '@weft/contract/core/endpoint'
import { proxies } from '@weft/contract/proxies/api'
import { runs } from '@weft/contract/runs/api'
import { workflows } from '@weft/contract/workflows/api'
import { emptyDocument } from '@weft/workflow/document'
import { encodeDocument } from '@weft/workflow/state-codec'
import { joinAgent } from '../../testing/agent.ts'
import type { TestPerson } from '../../testing/people.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { HandAgent } from './hand-agent.ts'

type AccountInput = InputOf<typeof accounts.create>
type CampaignInput = InputOf<typeof campaigns.create>

/** A person at a server, with what it takes to run campaigns there through the real calls. */
export class Ground {
  readonly server: TestServer
  readonly person: TestPerson
  readonly campaigns: ClientOf<typeof campaigns>
  readonly runs: ClientOf<typeof runs>
  readonly clients: ClientOf<typeof clients>
  readonly accounts: ClientOf<typeof accounts>
  #workflowId: string | undefined

  constructor(server: TestServer, person: TestPerson) {
    this.server = server
    this.person = person
    this.campaigns = person.api(campaigns)
    this.runs = person.api(runs)
    this.clients = person.api(clients)
    this.accounts = person.api(accounts)
  }

  /** A new server with an operator at it. */
  static async open(): Promise<Ground> {
    const server = await startTestServer()
    return new Ground(server, await server.as('operator', 'ann'))
  }

  /** Another operator of the same server. */
  async neighbour(username: string): Promise<Ground> {
    return new Ground(this.server, await this.server.as('operator', username))
  }

  /** A published workflow of one step; the same one each time. */
  async workflow(): Promise<string> {
    this.#workflowId ??= await this.newWorkflow()
    return this.#workflowId
  }

  async newWorkflow(): Promise<string> {
    const calls = this.person.api(workflows)
    const draft = {
      ...encodeDocument({
        ...emptyDocument(),
        start: 'post',
        activities: [{ id: 'post', type: 'log', typeVersion: 1, state: { message: 'posted' } }],
        connections: [],
      }),
    }
    const made = await calls.create({ name: `Posts ${unique()}`, draft })
    await calls.publish({ id: made.id, version: made.version })
    return made.id
  }

  async account(fields: Partial<AccountInput> = {}): Promise<string> {
    return (await this.accounts.create({ type: 'website', username: unique(), ...fields })).id
  }

  async proxy(fields: Partial<InputOf<typeof proxies.create>> = {}): Promise<string> {
    const calls = this.person.api(proxies)
    return (await calls.create({ protocol: 'http', host: `${unique()}.example`, port: 8080, ...fields })).id
  }

  /** So many accounts, in the order in which a campaign will take them. */
  async accountsOf(count: number, fields: Partial<AccountInput> = {}): Promise<string[]> {
    const made: string[] = []
    for (let n = 0; n < count; n += 1) made.push(await this.account(fields))
    return made
  }

  /** A client with its agent in the test's hands. */
  async agent(slots = 1): Promise<HandAgent> {
    const joining = await this.clients.joinCode({ maxSlots: 64 })
    return new HandAgent(await joinAgent(this.server.url, joining.code, slots))
  }

  /** A draft with accounts and clients attached. */
  async draft(
    accountIds: readonly string[],
    agents: readonly HandAgent[],
    fields: Partial<CampaignInput> = {},
  ): Promise<string> {
    const { id } = await this.campaigns.create({
      title: `Campaign ${unique()}`,
      workflowId: await this.workflow(),
      errors: { attempts: 1, backoffSeconds: 0 },
      ...fields,
    })
    if (accountIds.length > 0)
      await this.campaigns.addAccounts({ campaignId: id, selection: { ids: [...accountIds] } })
    if (agents.length > 0)
      await this.campaigns.addClients({
        campaignId: id,
        selection: { ids: agents.map((agent) => agent.clientId) },
      })
    return id
  }

  /** A campaign with so many items, or for these accounts, that is under way. */
  async campaign(
    of: number | readonly string[],
    agents: readonly HandAgent[],
    fields: Partial<CampaignInput> = {},
  ): Promise<string> {
    const accountIds = typeof of === 'number' ? await this.accountsOf(of) : of
    const id = await this.draft(accountIds, agents, fields)
    await this.begin(id)
    return id
  }

  /** Starts a campaign and waits until its items are there. */
  async begin(id: string): Promise<void> {
    await this.campaigns.start({ id })
    await eventually(async () => expect((await this.campaignOf(id)).state).not.toBe('scheduled'))
  }

  campaignOf(id: string): Promise<Campaign> {
    return this.campaigns.get({ id })
  }

  /** Waits until a campaign is in a state. */
  async reaches(id: string, state: CampaignState): Promise<void> {
    await eventually(async () => expect((await this.campaignOf(id)).state).toBe(state))
  }

  /** The items of a campaign in their order. */
  async items(id: string): Promise<Item[]> {
    return (await this.campaigns.items({ id, perPage: 1000, sortBy: 'seq' })).data
  }

  async item(campaignId: string, seq = 1): Promise<Item> {
    const found = (await this.items(campaignId)).find((item) => item.seq === seq)
    if (!found) throw new Error(`there is no item ${seq}`)
    return found
  }

  async itemStates(campaignId: string): Promise<ItemState[]> {
    return (await this.items(campaignId)).map(({ state }) => state)
  }

  /** Waits until the items are in these states. */
  async itemsReach(campaignId: string, ...states: ItemState[]): Promise<void> {
    await eventually(async () => expect(await this.itemStates(campaignId)).toEqual(states))
  }

  /** The states that some items are in, with how many; those that none is in are left out. */
  async tally(campaignId: string): Promise<Record<string, number>> {
    const { tally } = await this.campaignOf(campaignId)
    return Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0))
  }

  /** Why the items wait, by their numbers. */
  async waits(campaignId: string): Promise<Record<number, string[]>> {
    const items = await this.items(campaignId)
    return Object.fromEntries(
      items.flatMap((item) =>
        item.waitReasons.length > 0 ? [[item.seq, item.waitReasons.map((reason) => reason.code)]] : [],
      ),
    )
  }

  /** Lets the time of a run's offer or lease be over. */
  async loseLease(runId: string): Promise<void> {
    await this.server.deps.db.execute(
      sql`update run set held_until = now() - interval '1 second' where id = ${runId}`,
    )
  }

  /** Rows of a query, as a schema describes them. */
  async rows<T>(query: ReturnType<typeof sql>, schema: z.ZodType<T>): Promise<T[]> {
    return z.array(schema).parse((await this.server.deps.db.execute(query)).rows)
  }
}

/** Waits until a check passes: unlike `expect.poll` also while things are being prepared. */
export const eventually = <T>(check: () => Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 60 })

/** A name that nothing else has. */
export const unique = () => `t${randomBytes(5).toString('hex')}`

/** Status and code with which a call is refused. */
export async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return 'no error'
  } catch (error) {
    return error instanceof CallError ? `${error.httpStatus} ${error.code}` : error
  }
}
