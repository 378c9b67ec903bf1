import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { ACCOUNT_USABLE } from '@weft/contract/accounts/schema'
import type { Tx } from '../../kit/context.ts'
import { isUsableProxy, PROXY_STATUS } from './dispatch/proxies.ts'
import { VIDEO_STATUS } from './dispatch/videos.ts'
import type { Candidate, Kind, Sets } from './planner.ts'

const PAGE = 10_000

interface Source {
  attachedAs: string
  select: SQL
  usable: (status: string) => boolean
}

const SOURCES: Record<Kind, Source> = {
  account: {
    attachedAs: 'accounts',
    select: sql`r.username as name, r.status, r.profile_id, r.proxy_id, r.phone_id, r.deleted_at from account r`,
    usable: (status) => ACCOUNT_USABLE.some((usable) => usable === status),
  },
  profile: {
    attachedAs: 'profiles',
    select: sql`r.name, r.status, null::uuid as profile_id, r.proxy_id, null::uuid as phone_id, r.deleted_at from profile r`,
    usable: (status) => status !== 'damaged',
  },
  proxy: {
    attachedAs: 'proxies',
    select: sql`r.host || ':' || r.port as name, ${PROXY_STATUS} as status, null::uuid as profile_id,
      null::uuid as proxy_id, null::uuid as phone_id, r.deleted_at from proxy r`,
    usable: isUsableProxy,
  },
  phone: {
    attachedAs: 'phones',
    select: sql`r.phone_number as name, r.status, null::uuid as profile_id, null::uuid as proxy_id,
      null::uuid as phone_id, r.deleted_at from phone r`,
    usable: (status) => !['blocked', 'retired'].includes(status),
  },
  video: {
    attachedAs: 'videos',
    select: sql`r.title as name, ${VIDEO_STATUS} as status, null::uuid as profile_id, null::uuid as proxy_id, null::uuid as phone_id,
      r.deleted_at from video r`,
    usable: (status) => status === 'ready',
  },
}

const row = z.object({
  id: z.string(),
  position: z.coerce.number(),
  name: z.string(),
  status: z.string(),
  profile_id: z.string().nullable(),
  proxy_id: z.string().nullable(),
  phone_id: z.string().nullable(),
  deleted_at: z.unknown(),
})

function candidate(kind: Kind, raw: unknown): Candidate & { position: number } {
  const found = row.parse(raw)
  const gone = found.deleted_at !== null
  return {
    id: found.id,
    name: found.name,
    usable: !gone && SOURCES[kind].usable(found.status),
    status: gone ? 'deleted' : found.status,
    ...(kind === 'account' ? { profileId: found.profile_id, phoneId: found.phone_id } : {}),
    ...(kind === 'account' || kind === 'profile' ? { proxyId: found.proxy_id } : {}),
    position: found.position,
  }
}

async function loadSet(tx: Tx, campaignId: string, kind: Kind): Promise<Candidate[]> {
  const all: Candidate[] = []
  let after = -1
  for (;;) {
    const page = await tx.execute(sql`
      select r.id, cr.position, ${SOURCES[kind].select} join campaign_resource cr on cr.resource_id = r.id
      where cr.campaign_id = ${campaignId} and cr.kind = ${SOURCES[kind].attachedAs} and cr.position > ${after}
      order by cr.position limit ${PAGE}`)
    for (const raw of page.rows) {
      const { position, ...found } = candidate(kind, raw)
      after = position
      all.push(found)
    }
    if (page.rows.length < PAGE) return all
  }
}

/** The sets attached to a campaign, and a finder of the resources that their members name. */
export async function loadSets(tx: Tx, campaignId: string) {
  const sets: Sets = {
    account: await loadSet(tx, campaignId, 'account'),
    profile: await loadSet(tx, campaignId, 'profile'),
    proxy: await loadSet(tx, campaignId, 'proxy'),
    phone: await loadSet(tx, campaignId, 'phone'),
    video: await loadSet(tx, campaignId, 'video'),
  }
  const known = new Map<string, Candidate>()
  const learn = async (kind: Kind, ids: readonly (string | null | undefined)[]) => {
    for (const found of sets[kind]) known.set(found.id, found)
    const missing = [...new Set(ids)].filter((id) => typeof id === 'string' && !known.has(id))
    for (let from = 0; from < missing.length; from += PAGE) {
      const page = await tx.execute(sql`
        select r.id, 0 as position, ${SOURCES[kind].select} where r.id in ${missing.slice(from, from + PAGE)}`)
      for (const raw of page.rows) {
        const { position: _, ...found } = candidate(kind, raw)
        known.set(found.id, found)
      }
    }
  }
  await learn(
    'profile',
    sets.account.map((account) => account.profileId),
  )
  await learn(
    'phone',
    sets.account.map((account) => account.phoneId),
  )
  await learn(
    'proxy',
    [...sets.account, ...sets.profile, ...known.values()].map((found) => found.proxyId),
  )
  return { sets, linked: (_kind: Kind, id: string) => known.get(id) }
}
