import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { campaigns } from '@weft/contract/campaigns/api'
import type { Attachable } from '@weft/contract/campaigns/schema'
import type { CampaignState } from '@weft/contract/campaigns/states'
import type { Subject } from '@weft/contract/core/permissions'
import type { Selection } from '@weft/contract/core/record'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, ScopeColumns } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { foundBy } from '../../kit/list.ts'
import { findRecord } from '../../kit/record.ts'
import { anyOf } from '../../kit/recordset.ts'
import type { Engine } from '../../engine/engine.ts'
import { account } from '../accounts/table.ts'
import { client } from '../clients/table.ts'
import { phone } from '../phones/table.ts'
import { profile } from '../profiles/table.ts'
import { proxy } from '../proxies/table.ts'
import { video } from '../videos/table.ts'
import { campaignSource } from './source.ts'

interface Kind {
  table: PgTable & Owned
  subject: Subject
  columns: ScopeColumns
  name: SQL
  detail: SQL
  status: SQL
}

interface Owned {
  id: PgColumn
  ownerId: PgColumn
}
const columnsOf = (table: Owned): ScopeColumns => ({ id: table.id, ownerId: table.ownerId })

/** How each kind is listed in the campaign editor, and by which rules it is seen. */
const KINDS: Record<Attachable, Kind> = {
  accounts: {
    table: account,
    subject: 'ACCOUNT',
    columns: columnsOf(account),
    name: sql`${account.username}`,
    detail: sql`${account.type} || coalesce(' · ' || ${account.channelName}, '')`,
    status: sql`${account.status}`,
  },
  profiles: {
    table: profile,
    subject: 'PROFILE',
    columns: columnsOf(profile),
    name: sql`${profile.name}`,
    detail: sql`${profile.browserType}`,
    status: sql`${profile.status}`,
  },
  clients: {
    table: client,
    subject: 'CLIENT',
    columns: columnsOf(client),
    name: sql`${client.name}`,
    detail: sql`${client.clientKey}`,
    status: sql`${client.admin}`,
  },
  proxies: {
    table: proxy,
    subject: 'PROXY',
    columns: columnsOf(proxy),
    name: sql`${proxy.host} || ':' || ${proxy.port}`,
    detail: sql`${proxy.protocol}`,
    status: sql`${proxy.status}`,
  },
  videos: {
    table: video,
    subject: 'VIDEO',
    columns: columnsOf(video),
    name: sql`${video.title}`,
    detail: sql`coalesce(${video.channelName}, '')`,
    status: sql`${video.status}`,
  },
  phones: {
    table: phone,
    subject: 'PHONE',
    columns: columnsOf(phone),
    name: sql`${phone.phoneNumber}`,
    detail: sql`coalesce(${phone.label}, '')`,
    status: sql`${phone.status}`,
  },
}

const listFilter = z.object({ q: z.string().max(200).optional() })

const visible = (ctx: CallContext, kind: Kind): SQL =>
  sql`${ctx.scope('VIEW', kind.subject, kind.columns)} and ${kind.table}.deleted_at is null`

/** Rows of a kind that a query means, out of those this person may see. */
function selected(ctx: CallContext, kind: Kind, selection: { query: Record<string, unknown> }): SQL {
  const parsed = listFilter.safeParse(selection.query)
  if (!parsed.success) throw new AppError('request.invalid')
  const found = foundBy(parsed.data.q, {
    table: kind.table,
    id: kind.table.id,
    search: [sql`${kind.table}.search`],
  })
  return found ? sql`${visible(ctx, kind)} and ${found}` : visible(ctx, kind)
}

const EDITABLE: readonly CampaignState[] = ['draft', 'scheduled']
/** Clients may come and go while it runs: they are who does the work, not what it is done to. */
const CLIENTS_EDITABLE: readonly CampaignState[] = [...EDITABLE, 'running', 'pausing', 'paused', 'completing']

async function editable(ctx: CallContext, name: Attachable, campaignId: string) {
  const row = await findRecord(ctx, campaignSource, campaignId, 'UPDATE', { lock: true })
  const states = name === 'clients' ? CLIENTS_EDITABLE : EDITABLE
  if (!states.includes(row.state)) throw new AppError('campaign.not_editable', { state: row.state })
  return row
}

/** Attaches resources in the order in which they are named: what is new, what was there already, what is not to be had. */
async function add(ctx: CallContext, name: Attachable, campaignId: string, selection: Selection) {
  const row = await editable(ctx, name, campaignId)
  const kind = KINDS[name]
  const asked =
    'ids' in selection
      ? sql`select id, min(place) as place from unnest(${sql.param(selection.ids)}::uuid[]) with ordinality x (id, place) group by id`
      : sql`select ${kind.table}.id, 0 as place from ${kind.table} where ${selected(ctx, kind, selection)}`
  const result = await ctx.tx.execute(sql`
    with asked as (${asked}),
      wanted as (select ${kind.table}.id, asked.place from ${kind.table} join asked on asked.id = ${kind.table}.id
        where ${visible(ctx, kind)}),
      added as (insert into campaign_resource (campaign_id, kind, resource_id)
        select ${campaignId}::uuid, ${name}, id from wanted order by place, id on conflict do nothing returning resource_id)
    select (select count(*)::int from wanted) as wanted, (select count(*)::int from added) as added,
      array(select a.id::text from asked a where not exists (select 1 from wanted w where w.id = a.id) order by a.place) as unknown`)
  const counts = z
    .object({ wanted: z.number(), added: z.number(), unknown: z.array(z.string()) })
    .parse(result.rows[0])
  ctx.audit({ feature: 'campaigns', recordId: campaignId, after: { kind: name, added: counts.added } })
  ctx.event({ feature: 'campaigns', id: campaignId, kind: 'updated', ownerId: row.ownerId })
  return {
    changed: counts.added,
    already: counts.wanted - counts.added,
    refused: counts.unknown.map((id) => ({ id, code: 'record.not_found' })),
  }
}

/** Detaches resources; one that was not attached is counted as such. */
async function remove(ctx: CallContext, name: Attachable, campaignId: string, selection: Selection) {
  const row = await editable(ctx, name, campaignId)
  const kind = KINDS[name]
  const which =
    'ids' in selection
      ? sql`resource_id = ${anyOf(selection.ids)}`
      : sql`resource_id in (select ${kind.table}.id from ${kind.table} where ${selected(ctx, kind, selection)})`
  const result = await ctx.tx.execute(sql`
    delete from campaign_resource where campaign_id = ${campaignId} and kind = ${name} and ${which}`)
  const changed = result.rowCount ?? 0
  ctx.audit({ feature: 'campaigns', recordId: campaignId, after: { kind: name, removed: changed } })
  ctx.event({ feature: 'campaigns', id: campaignId, kind: 'updated', ownerId: row.ownerId })
  return { changed, already: 'ids' in selection ? new Set(selection.ids).size - changed : 0, refused: [] }
}

const candidateRow = z.object({
  id: z.string(),
  name: z.string(),
  detail: z.string(),
  status: z.string(),
  attached: z.boolean(),
  total: z.coerce.number(),
})
interface FetchQuery {
  campaignId: string
  attached?: boolean | undefined
  q?: string | undefined
  page: number
  perPage: number
  sortBy?: 'name' | 'status' | 'createdAt' | undefined
  sortDesc?: boolean | undefined
}
const LARGEST_PAGE = 1000

/** What a campaign has or could have of one kind. */
async function fetchKind(ctx: CallContext, name: Attachable, query: FetchQuery) {
  await findRecord(ctx, campaignSource, query.campaignId)
  const kind = KINDS[name]
  const perPage = query.perPage === -1 ? LARGEST_PAGE : query.perPage
  const where = selected(ctx, kind, { query: query.q ? { q: query.q } : {} })
  const join = sql`left join campaign_resource cr on cr.campaign_id = ${query.campaignId} and cr.kind = ${name}
    and cr.resource_id = ${kind.table}.id`
  const only =
    query.attached === undefined
      ? sql`true`
      : query.attached
        ? sql`cr.resource_id is not null`
        : sql`cr.resource_id is null`
  const order = { name: kind.name, status: kind.status, createdAt: sql`${kind.table}.created_at` }[
    query.sortBy ?? 'name'
  ]
  const result = await ctx.tx.execute(sql`
    select ${kind.table}.id, ${kind.name} as name, ${kind.detail} as detail, ${kind.status} as status,
      cr.resource_id is not null as attached, count(*) over () as total
    from ${kind.table} ${join} where ${where} and ${only}
    order by ${order} ${query.sortDesc ? sql`desc` : sql`asc`}, ${kind.table}.id
    limit ${perPage} offset ${(query.page - 1) * perPage}`)
  const rows = result.rows.map((raw) => candidateRow.parse(raw))
  const total = rows[0]?.total ?? 0
  return {
    data: rows.map(({ total: _total, ...row }) => row),
    totalPage: Math.ceil(total / perPage),
    totalRecord: total,
  }
}

type Names =
  `${'fetch' | 'add' | 'remove'}${'Profiles' | 'Accounts' | 'Clients' | 'Proxies' | 'Videos' | 'Phones'}`

/** Listing, attaching and detaching for all six kinds. */
export function attachHandlers(engine: Engine): Pick<Implementation<typeof campaigns>, Names> {
  const fetching = (kind: Attachable) => (ctx: CallContext, query: FetchQuery) => fetchKind(ctx, kind, query)
  type Change = { campaignId: string; selection: Selection }
  const adding = (kind: Attachable) => (ctx: CallContext, input: Change) => {
    if (kind === 'clients') ctx.afterCommit(() => engine.wake(null))
    return add(ctx, kind, input.campaignId, input.selection)
  }
  const removing = (kind: Attachable) => (ctx: CallContext, input: Change) =>
    remove(ctx, kind, input.campaignId, input.selection)
  return {
    fetchProfiles: fetching('profiles'),
    fetchAccounts: fetching('accounts'),
    fetchClients: fetching('clients'),
    fetchProxies: fetching('proxies'),
    fetchVideos: fetching('videos'),
    fetchPhones: fetching('phones'),
    addProfiles: adding('profiles'),
    addAccounts: adding('accounts'),
    addClients: adding('clients'),
    addProxies: adding('proxies'),
    addVideos: adding('videos'),
    addPhones: adding('phones'),
    removeProfiles: removing('profiles'),
    removeAccounts: removing('accounts'),
    removeClients: removing('clients'),
    removeProxies: removing('proxies'),
    removeVideos: removing('videos'),
    removePhones: removing('phones'),
  }
}
