import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { AgentParams } from '@weft/contract/agents/sessions'
import type { WaitReason } from '@weft/contract/campaigns/schema'
import type { Tx } from '../../db/connection.ts'
import { heldBackBy } from '../activities/switched-off.ts'
import { accountFacts } from './dispatch/assign.ts'
import { accountBlock, paceAllows, siteBlock } from './dispatch/blocks.ts'
import { proxyBlock, proxyFacts } from './dispatch/proxies.ts'
import { sitesOfItems, startsOnSites } from './dispatch/sites.ts'
import { withoutRights } from './dispatch/videos.ts'
import type { ItemView } from './items.ts'
import type { CampaignRow } from './table.ts'

const clientsRow = z.object({
  attached: z.number(),
  online: z.number(),
  enabled: z.number(),
  free: z.number(),
})
const leaseRow = z.object({
  kind: z.string(),
  resource_id: z.string(),
  title: z.string().nullable(),
  until: z.coerce.date(),
})
const LEASED: Record<string, WaitReason['code']> = {
  account: 'wait.account_leased',
  profile: 'wait.profile_leased',
  phone: 'wait.phone_leased',
  video: 'wait.video_leased',
}

/**
 * Why each of these items is not under way: computed when somebody looks, from the same rules by which the dispatcher
 * decides, so it is never stale and costs nothing while nobody asks.
 */
export async function explain(
  tx: Tx,
  campaign: CampaignRow,
  items: readonly ItemView[],
  { params, open }: { params: AgentParams; open: boolean },
): Promise<Map<string, WaitReason[]>> {
  const waiting = items.filter((item) => item.state === 'ready' || item.state === 'planned')
  const reasons = new Map<string, WaitReason[]>()
  if (waiting.length === 0) return reasons
  const common = [
    ...(open ? [] : [{ code: 'wait.maintenance' as const, params: {} }]),
    ...(await campaignReasons(tx, campaign, params)),
  ]
  const leases = await leasesOf(tx, waiting)
  const ids = waiting.flatMap((item) => (item.account ? [item.account.id] : []))
  const facts = new Map(
    (await accountFacts(tx, ids, campaign.pacing.perAccountPerDay)).map((entry) => [entry.id, entry.facts]),
  )
  const proxies = await proxyFacts(
    tx,
    waiting.map((item) => item.proxy?.id ?? null),
  )
  const over = await withoutRights(
    tx,
    waiting.map((item) => item.video?.id ?? null),
  )
  const siteReason = await siteReasons(tx, campaign, waiting)
  const now = new Date()
  const zone = campaign.schedule.mode === 'at' ? campaign.schedule.timeZone : 'UTC'
  for (const item of waiting) {
    const own: WaitReason[] = []
    if (item.state === 'planned') own.push({ code: 'wait.not_released', params: {} })
    if (item.hold) {
      // Nothing else keeps it: it is not to begin before.
      const { kind, title } = item.hold
      const told = { until: item.ready_at, ...(title === null ? {} : { title }) }
      const code = kind === 'question' ? 'wait.answer' : 'wait.held'
      reasons.set(item.id, [{ code, params: told }])
      continue
    }
    if (item.ready_at && new Date(item.ready_at) > now)
      own.push({ code: 'wait.backoff', params: { until: item.ready_at } })
    for (const kind of ['account', 'profile', 'phone', 'video'] as const) {
      const bound = item[kind]
      const lease = bound && leases.get(`${kind}:${bound.id}`)
      const code = LEASED[kind]
      if (bound && lease && code)
        own.push({
          code,
          params: { name: bound.name, campaign: lease.title, until: lease.until.toISOString() },
        })
    }
    const account = item.account && facts.get(item.account.id)
    const block = account
      ? accountBlock(account, campaign.pacing, now, { timeZone: zone, goesOn: item.goes_on })
      : null
    if (block) own.push(block)
    const proxy = item.proxy && proxies.get(item.proxy.id)
    const way = proxy ? proxyBlock(proxy) : null
    if (way) own.push(way)
    if (item.video && over.has(item.video.id))
      own.push({ code: 'wait.video_rights', params: { name: item.video.name } })
    const site = siteReason(item)
    if (site) own.push(site)
    const all = [...own, ...common]
    reasons.set(item.id, all.length > 0 ? all : [{ code: 'wait.next', params: {} }])
  }
  return reasons
}

async function campaignReasons(tx: Tx, campaign: CampaignRow, params: AgentParams): Promise<WaitReason[]> {
  if (campaign.state === 'paused' || campaign.state === 'pausing')
    return [{ code: 'wait.campaign_paused', params: {} }]
  const { workflowId, release } = campaign
  const activity = workflowId && release ? await heldBackBy(tx, workflowId, release) : null
  if (activity !== null) return [{ code: 'wait.activity_disabled', params: { activity } }]
  const result = await tx.execute(sql`
    select count(*)::int as attached, count(*) filter (where o.online)::int as online,
      count(*) filter (where o.online and o.takes)::int as enabled,
      coalesce(sum(greatest(o.free, 0)) filter (where o.online and o.takes), 0)::int as free
    from (select c.session_hash is not null and c.last_seen_at > now() - make_interval(secs => ${params.lateSeconds})
          and c.agent_state <> 'stopping' as online,
        c.admin = 'enabled' and c.agent_state = 'running' and c.refusing is null as takes,
        c.thread - (select count(*) from run r where r.client_id = c.id and r.finished_at is null) as free
      from campaign_resource cr join client c on c.id = cr.resource_id and c.deleted_at is null
      where cr.campaign_id = ${campaign.id} and cr.kind = 'clients') o`)
  const clients = clientsRow.parse(result.rows[0])
  if (clients.online === 0) return [{ code: 'wait.no_client_online', params: { attached: clients.attached } }]
  if (clients.enabled === 0) return [{ code: 'wait.client_paused', params: { online: clients.online } }]
  const reasons: WaitReason[] = []
  if (clients.free === 0) reasons.push({ code: 'wait.no_free_slot', params: { online: clients.online } })
  const pace = await tx.execute(sql`
    select coalesce(sum(leased + running), 0)::int as active from campaign_tally t where t.campaign_id = ${campaign.id}`)
  const { active } = z.object({ active: z.number() }).parse(pace.rows[0])
  const allowed = paceAllows(campaign.pacing, { active, nextStartAt: campaign.nextStartAt }, new Date())
  if (allowed.count === 0 && allowed.reason) reasons.push(allowed.reason)
  return reasons
}

/** Which of the items wait for the pace on a domain that they visit. */
async function siteReasons(tx: Tx, campaign: CampaignRow, items: readonly ItemView[]) {
  const limit = campaign.pacing.perDomainPerMinute
  const { workflowId, release } = campaign
  if (limit === null || workflowId === null || release === null) return () => null
  const accountIds = items.map((item) => item.account?.id ?? null)
  const { sitesOf } = await sitesOfItems(tx, { workflowId, release }, accountIds)
  const starts = await startsOnSites(tx, [...new Set(accountIds.flatMap((id) => sitesOf(id)))])
  return (item: ItemView) =>
    siteBlock(sitesOf(item.account?.id ?? null), (site) => starts.get(site) ?? 0, limit)
}

async function leasesOf(tx: Tx, items: readonly ItemView[]) {
  const ids = items.flatMap((item) =>
    [item.account, item.profile, item.phone, item.video].flatMap((bound) => (bound ? [bound.id] : [])),
  )
  if (ids.length === 0) return new Map<string, z.infer<typeof leaseRow>>()
  const result = await tx.execute(sql`
    select l.kind, l.resource_id, c.title, r.held_until as until from resource_lease l join run r on r.id = l.run_id
    left join campaign c on c.id = r.campaign_id where l.resource_id in ${[...new Set(ids)]}`)
  return new Map(
    result.rows.map((raw) => {
      const row = leaseRow.parse(raw)
      return [`${row.kind}:${row.resource_id}`, row]
    }),
  )
}
