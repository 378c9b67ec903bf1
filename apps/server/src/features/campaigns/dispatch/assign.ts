import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { limitsSchema } from '@weft/contract/accounts/schema'
import { errorPolicySchema, pacingSchema } from '@weft/contract/campaigns/schema'
import { itemMachine } from '@weft/contract/campaigns/states'
import type { AgentParams } from '@weft/contract/agents/sessions'
import { stateAfter } from '../../../kit/machine-sql.ts'
import { newId } from '../../../kit/id.ts'
import { anyOf, recordset } from '../../../kit/recordset.ts'
import type { Tx } from '../../../kit/context.ts'
import { consequence, EMPTY_TALLY, tallies } from '../lifecycle.ts'
import { accountBlock, paceAllows } from './blocks.ts'
import { Choice, type Chosen, type Facts } from './choose.ts'
import { IS_UNUSABLE, proxyFacts } from './proxies.ts'
import { RIGHTS_ARE_OVER } from './videos.ts'
import { lockSites, sitesOfItems, startsOnSites } from './sites.ts'

/** A run that was made for a client and is to be offered to its agent. */
export interface Offer {
  runId: string
  clientId: string
  attempt: number
  fence: number
}

const clientRow = z.object({ id: z.string(), free: z.number() })
const campaignRow = z.object({
  id: z.string(),
  owner_id: z.string().nullable(),
  workflow_id: z.string(),
  release: z.number(),
  pacing: pacingSchema,
  errors: errorPolicySchema,
  failed_before: z.number(),
  settled_before: z.number(),
  time_zone: z.string(),
  clients: z.array(z.string()),
})
type Campaign = z.infer<typeof campaignRow>
const itemRow = z.object({
  id: z.string(),
  seq: z.number(),
  attempt: z.number(),
  fence: z.number(),
  run_id: z.string().nullable(),
  start_at: z.string().nullable(),
  hold_id: z.string().nullable(),
  goes_on: z.boolean(),
  account_id: z.string().nullable(),
  profile_id: z.string().nullable(),
  proxy_id: z.string().nullable(),
  phone_id: z.string().nullable(),
  video_id: z.string().nullable(),
})
type Item = z.infer<typeof itemRow>
/** An item that is to begin, and the run that is made for it. */
type Taken = Chosen<Item> & { runId: string; clientId: string }

/**
 * Gives clients as much ready work as they have free slots, all leases, pacing and quiet hours holding; one transaction.
 * A client that another process is just serving is passed over.
 */
export async function assign(tx: Tx, clientIds: readonly string[], params: AgentParams): Promise<Offer[]> {
  const locked = await tx.execute(sql`
    select c.id, c.thread - (select count(*) from run r where r.client_id = c.id and r.finished_at is null)::int as free
    from client c
    where c.id = ${anyOf(clientIds)} and c.deleted_at is null and c.session_hash is not null
      and (c.admin = 'enabled' or (c.admin = 'paused' and c.paused_until < now()))
      and c.agent_state = 'running' and c.refusing is null
      and c.last_seen_at > now() - make_interval(secs => ${params.lateSeconds})
    order by c.id for update of c skip locked`)
  const free = new Map(
    locked.rows.flatMap((raw) => {
      const row = clientRow.parse(raw)
      return row.free > 0 ? [[row.id, row.free] as const] : []
    }),
  )
  if (free.size === 0) return []
  const campaigns = await tx.execute(sql`
    select c.id, c.owner_id, c.workflow_id, c.release, c.pacing, c.errors, c.failed_before, c.settled_before,
      coalesce(c.schedule ->> 'timeZone', 'UTC') as time_zone, cr.clients
    from (select campaign_id, array_agg(resource_id) as clients from campaign_resource
      where kind = 'clients' and resource_id = ${anyOf([...free.keys()])} group by campaign_id) cr
    join campaign c on c.id = cr.campaign_id
    where c.state in ('running', 'completing') and c.deleted_at is null and held_back_by(c.workflow_id, c.release) is null
    order by c.priority desc, c.started_at`)
  const offers: Offer[] = []
  for (const raw of campaigns.rows) {
    const campaign = campaignRow.parse(raw)
    const slots = deal(new Map(campaign.clients.map((id) => [id, free.get(id) ?? 0])))
    if (slots.length === 0) continue
    const made = await assignFrom(tx, slots, campaign, params)
    offers.push(...made)
    for (const { clientId } of made) free.set(clientId, (free.get(clientId) ?? 0) - 1)
  }
  return offers
}

/** The free slots of clients one after another, each client in turn, so that work spreads evenly. Pure. */
export function deal(free: ReadonlyMap<string, number>): string[] {
  const most = Math.max(0, ...free.values())
  return Array.from({ length: most }, (_, round) =>
    [...free].flatMap(([id, slots]) => (slots > round ? [id] : [])),
  ).flat()
}

/** The first look at the ledger takes so many items for each that may begin; most of them can, mostly. */
const LOOK = 3
/** Further looks, past items that may not begin just now. */
const NEXT_LOOK = 500
const LOOKS = 5

/** Fills slots, given as the clients that have them, with ready items of one campaign. */
async function assignFrom(
  tx: Tx,
  freeSlots: readonly string[],
  campaign: Campaign,
  params: AgentParams,
): Promise<Offer[]> {
  const room = Math.min(freeSlots.length, await paceRoom(tx, campaign))
  if (room <= 0) return []
  const choice = new Choice<Item>(room)
  let after = 0
  for (let look = 0; look < LOOKS && !choice.isFull; look += 1) {
    const count = look === 0 ? room * LOOK : NEXT_LOOK
    const items = await readyItems(tx, campaign, after, count)
    if (items.length > 0) {
      choice.weigh(items, {
        blocked: await blockedItems(tx, campaign, items),
        slots: await proxySlots(tx, items),
        ...(await siteRoom(tx, campaign, items)),
      })
    }
    if (items.length < count) break
    after = items.at(-1)?.seq ?? after
  }
  const taken = choice.chosen.flatMap((entry, index) => {
    const clientId = freeSlots[index]
    return clientId === undefined ? [] : [{ ...entry, clientId, runId: newId() }]
  })
  if (taken.length === 0) return []
  return write(tx, campaign, taken, params)
}

/** Items that nothing in the ledger or the leases keeps from beginning, in their order. */
async function readyItems(tx: Tx, campaign: Campaign, after: number, count: number): Promise<Item[]> {
  const found = await tx.execute(sql`
    select i.id, i.seq, i.attempt, i.fence, i.run_id, i.start_at, i.hold_id, i.account_id, i.profile_id, i.proxy_id, i.phone_id, i.video_id,
      exists (select 1 from run r where r.id = i.run_id and r.result = 'held') as goes_on
    from campaign_item i
    where i.campaign_id = ${campaign.id} and i.state = 'ready' and i.seq > ${after}
      and (i.ready_at is null or i.ready_at <= now())
      and not exists (select 1 from resource_lease l where l.kind = 'account' and l.resource_id = i.account_id)
      and not exists (select 1 from resource_lease l where l.kind = 'profile' and l.resource_id = i.profile_id)
      and not exists (select 1 from resource_lease l where l.kind = 'phone' and l.resource_id = i.phone_id)
      and not exists (select 1 from resource_lease l where l.kind = 'video' and l.resource_id = i.video_id)
      and not exists (select 1 from proxy r where r.id = i.proxy_id and ${IS_UNUSABLE})
      and not exists (select 1 from video r where r.id = i.video_id and ${RIGHTS_ARE_OVER})
    order by i.seq limit ${count} for update skip locked`)
  return found.rows.map((row) => itemRow.parse(row))
}

/** The free slots of those proxies that have a capacity. */
async function proxySlots(tx: Tx, items: readonly Item[]): Promise<Map<string, number[]>> {
  const facts = await proxyFacts(
    tx,
    items.map((item) => item.proxy_id),
  )
  const slots = new Map<string, number[]>()
  for (const [id, proxy] of facts) if (proxy.slots) slots.set(id, proxy.slots)
  return slots
}

/** The domains that the items would visit, and how many runs may begin on each; no other dispatcher counts them now. */
async function siteRoom(
  tx: Tx,
  campaign: Campaign,
  items: readonly Item[],
): Promise<Pick<Facts, 'sitesOf' | 'siteRoom'>> {
  const limit = campaign.pacing.perDomainPerMinute
  if (limit === null) return { sitesOf: () => [], siteRoom: () => Infinity }
  const accountIds = items.map((item) => item.account_id)
  const release = { workflowId: campaign.workflow_id, release: campaign.release }
  const { sitesOf } = await sitesOfItems(tx, release, accountIds)
  const all = [...new Set(accountIds.flatMap((accountId) => sitesOf(accountId)))]
  const mine = await lockSites(tx, all)
  const starts = await startsOnSites(tx, all)
  return {
    sitesOf: (item) => sitesOf(item.account_id),
    siteRoom: (site) => (mine.has(site) ? limit - (starts.get(site) ?? 0) : 0),
  }
}

/** How many items may begin by the campaign's pace; locks the campaign where the pace must be counted. */
async function paceRoom(tx: Tx, campaign: Campaign): Promise<number> {
  const { pacing, errors } = campaign
  const stops = errors.stopAfter !== null || errors.stopAfterPercent !== null
  if (pacing.maxParallel === null && pacing.delaySeconds === 0 && !stops) return Infinity
  if (stops && (await hasTooManyErrors(tx, campaign))) return 0
  const result = await tx.execute(sql`
    select c.next_start_at,
      (select coalesce(sum(leased + running), 0)::int from campaign_tally t where t.campaign_id = c.id) as active
    from campaign c where c.id = ${campaign.id} for update skip locked`)
  const row = result.rows[0]
  if (!row) return 0
  const facts = z.object({ next_start_at: z.coerce.date().nullable(), active: z.number() }).parse(row)
  const pace = { active: facts.active, nextStartAt: facts.next_start_at }
  return paceAllows(pacing, pace, new Date()).count
}

/** Whether the campaign is about to be paused for its errors: then not one more begins. */
async function hasTooManyErrors(
  tx: Tx,
  { id, errors, failed_before, settled_before }: Campaign,
): Promise<boolean> {
  const tally = (await tallies(tx, [id])).get(id) ?? EMPTY_TALLY
  const policy = { ...errors, failedBefore: failed_before, settledBefore: settled_before }
  return consequence('running', tally, policy)?.event === 'pause'
}

const accountRow = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  deleted: z.boolean(),
  limits: limitsSchema,
  day_until: z.coerce.date().nullable(),
  hour_until: z.coerce.date().nullable(),
  pause_until: z.coerce.date().nullable(),
})

/** Facts of accounts, with when their limits and the campaign's own let them begin again. */
export async function accountFacts(tx: Tx, ids: readonly string[], perDay: number | null) {
  if (ids.length === 0) return []
  const result = await tx.execute(sql`
    select a.id, a.username as name, a.status, a.deleted_at is not null as deleted, a.limits, e.*
    from account a
    cross join lateral account_limits_end(a.id, least((a.limits ->> 'perDay')::int, ${perDay}::int), (a.limits ->> 'perHour')::int,
      (a.limits ->> 'cooldownMinutes')::int) e
    where a.id = ${anyOf(ids)}`)
  return result.rows.map((raw) => {
    const row = accountRow.parse(raw)
    return {
      id: row.id,
      facts: {
        name: row.name,
        status: row.status,
        deleted: row.deleted,
        ...row.limits,
        dayUntil: row.day_until,
        hourUntil: row.hour_until,
        pauseUntil: row.pause_until,
      },
    }
  })
}

/** The items whose account may not be used now. */
async function blockedItems(tx: Tx, campaign: Campaign, items: Item[]): Promise<Set<string>> {
  const ids = items.flatMap((item) => (item.account_id ? [item.account_id] : []))
  const found = await accountFacts(tx, ids, campaign.pacing.perAccountPerDay)
  const facts = new Map(found.map((account) => [account.id, account.facts]))
  const now = new Date()
  const isBlocked = ({ account_id: id, goes_on: goesOn }: Item) => {
    const account = id === null ? undefined : facts.get(id)
    const how = { timeZone: campaign.time_zone, goesOn }
    return account !== undefined && accountBlock(account, campaign.pacing, now, how) !== null
  }
  return new Set(items.filter(isBlocked).map(({ id }) => id))
}

const RUN = {
  id: 'uuid',
  item: 'uuid',
  client: 'uuid',
  attempt: 'int',
  fence: 'int',
  account: 'uuid',
  previous: 'uuid',
  start: 'text',
  hold: 'uuid',
} as const

async function write(tx: Tx, campaign: Campaign, wanted: Taken[], params: AgentParams): Promise<Offer[]> {
  const rows = wanted.map(({ item, clientId, runId }) => ({
    id: runId,
    item: item.id,
    client: clientId,
    attempt: item.attempt + 1,
    fence: item.fence + 1,
    account: item.account_id,
    previous: item.run_id,
    start: item.start_at,
    hold: item.hold_id,
  }))
  await tx.execute(sql`
    insert into run (id, owner_id, campaign_id, item_id, workflow_id, release, attempt, fence, client_id, account_id,
      held_until, retry_of_id, start_at, hold_id, confirmed)
    select v.id, ${campaign.owner_id}::uuid, ${campaign.id}::uuid, v.item, ${campaign.workflow_id}::uuid, ${campaign.release},
      v.attempt, v.fence, v.client, v.account, now() + make_interval(secs => ${params.offerSeconds}), v.previous, v.start, v.hold,
      -- What was done for good before the hold was done in this run as well.
      coalesce((select before.confirmed from run_hold h join run before on before.id = h.run_id where h.id = v.hold), '{}')
    from ${recordset(RUN, rows)}`)
  const kept = await lease(tx, wanted)
  if (kept.length === 0) return []
  const pairs = kept.map(({ item, clientId, runId }) => ({ item: item.id, client: clientId, run: runId }))
  await tx.execute(sql`
    update campaign_item i set state = ${stateAfter(itemMachine, 'lease', sql`i.state`)}, attempt = i.attempt + 1,
      fence = i.fence + 1, run_id = v.run, client_id = v.client, ready_at = null
    from ${recordset({ item: 'uuid', client: 'uuid', run: 'uuid' }, pairs)} where i.id = v.item`)
  if (campaign.pacing.delaySeconds > 0)
    await tx.execute(sql`
      update campaign set next_start_at = now() + make_interval(secs => ${campaign.pacing.delaySeconds})
      where id = ${campaign.id}`)
  return kept.map(({ item, clientId, runId }) => ({
    runId,
    clientId,
    attempt: item.attempt + 1,
    fence: item.fence + 1,
  }))
}

/** Takes the leases; where another process was quicker, the run is given up again. */
async function lease(tx: Tx, wanted: Taken[]): Promise<Taken[]> {
  const leases = wanted.flatMap(({ runId, leases: of }) =>
    of.map((entry) => ({ kind: entry.kind, resource: entry.resourceId, slot: entry.slot, run: runId })),
  )
  if (leases.length === 0) return wanted
  const got = await tx.execute(sql`
    insert into resource_lease (kind, resource_id, slot, run_id)
    select v.kind, v.resource, v.slot, v.run
    from ${recordset({ kind: 'text', resource: 'uuid', slot: 'int', run: 'uuid' }, leases)}
    order by v.kind, v.resource
    on conflict do nothing returning run_id`)
  if (got.rows.length === leases.length) return wanted
  const counts = new Map<string, number>()
  for (const raw of got.rows) {
    const id = z.object({ run_id: z.string() }).parse(raw).run_id
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const kept = wanted.filter(({ runId, leases: of }) => counts.get(runId) === of.length || of.length === 0)
  const lost = wanted.filter((entry) => !kept.includes(entry)).map((entry) => entry.runId)
  if (lost.length > 0) await tx.execute(sql`delete from run where id = ${anyOf(lost)}`)
  return kept
}
