import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { EventFeature } from '@weft/contract/core/events'
import type { OwnedKind } from '@weft/contract/users/schema'
import { AppError } from '../../kit/app-error.ts'
import type { Tx, Work } from '../../kit/context.ts'
import { databaseFailure } from '../../db/errors.ts'
import { manyOf } from '../../kit/resource/visible.ts'

interface Owned {
  kind: OwnedKind
  table: string
  /** Told of when it changes hands. */
  feature?: EventFeature
  /** Rows that have a version and a trash. */
  record?: boolean
  /** What is only kept for the record keeps nobody from being deleted. */
  past?: boolean
}

/** Every table whose rows belong to people. People themselves are moved apart. */
const OWNED: readonly Owned[] = [
  { kind: 'clients', table: 'client', feature: 'clients', record: true },
  { kind: 'accounts', table: 'account', feature: 'accounts', record: true },
  { kind: 'profiles', table: 'profile', feature: 'profiles', record: true },
  { kind: 'phones', table: 'phone', feature: 'phones', record: true },
  { kind: 'proxies', table: 'proxy', feature: 'proxies', record: true },
  { kind: 'videos', table: 'video', feature: 'videos', record: true },
  { kind: 'files', table: 'file' },
  { kind: 'projects', table: 'project', feature: 'projects', record: true },
  { kind: 'workflows', table: 'workflow', feature: 'workflows', record: true },
  { kind: 'campaigns', table: 'campaign', feature: 'campaigns', record: true },
  { kind: 'runs', table: 'run', feature: 'runs', past: true },
  { kind: 'imports', table: 'import', feature: 'imports', past: true },
  { kind: 'roles', table: 'role', feature: 'roles', record: true },
  { kind: 'providers', table: 'sso_provider', record: true },
]

const countRow = z.object({ kind: z.string(), count: z.number() })

/** How many records of a kind there are. */
export interface OwnedCount {
  kind: OwnedKind
  count: number
}

/** What somebody owns: living records only. */
export async function ownedBy(tx: Tx, userId: string): Promise<OwnedCount[]> {
  const parts = OWNED.map(
    ({ kind, table, record }) =>
      sql`select ${kind}::text as kind, count(*)::int as count from ${sql.identifier(table)}
        where owner_id = ${userId} ${record ? sql`and deleted_at is null` : sql``}`,
  )
  const people = sql`select 'users', count(*)::int from app_user
    where owner_id = ${userId} and id <> ${userId} and deleted_at is null`
  const { rows } = await tx.execute(sql.join([...parts, people], sql` union all `))
  const counts = new Map(rows.map((row) => countRow.parse(row)).map(({ kind, count }) => [kind, count]))
  return [...OWNED.map(({ kind }) => kind), 'users' as const].flatMap((kind) => {
    const count = counts.get(kind) ?? 0
    return count > 0 ? [{ kind, count }] : []
  })
}

/** How many of them must have a new owner before their owner can be deleted. */
export function needingOwner(owned: readonly OwnedCount[]): number {
  const past = new Set<string>(OWNED.filter((one) => one.past).map(({ kind }) => kind))
  return owned.reduce((sum, { kind, count }) => (past.has(kind) ? sum : sum + count), 0)
}

/** Whose the belongings become. */
export interface Successor {
  id: string
  /** Above whom the sub-users stand from then on; null for nobody. */
  above: string | null
}

/**
 * Gives everything of one person to another, what lies in the trash too, and tells those who see it. Two records that
 * would become the same one are refused.
 */
export async function moveBelongings(work: Work, from: string, to: Successor): Promise<OwnedCount[]> {
  const moved: OwnedCount[] = []
  await freeCampaignCodes(work.tx, from, to.id)
  for (const { kind, table, feature, record } of OWNED) {
    const bump = record ? sql`, version = version + 1, updated_at = now()` : sql``
    const count = await changeOwner(
      work.tx,
      kind,
      sql`
      update ${sql.identifier(table)} set owner_id = ${to.id} ${bump} where owner_id = ${from}`,
    )
    if (count === 0) continue
    moved.push({ kind, count })
    if (!feature) continue
    for (const ownerId of [from, to.id])
      work.event({ feature, id: manyOf(ownerId), kind: 'updated', ownerId })
  }
  await work.tx.execute(
    sql`update join_code set owner_id = ${to.id} where owner_id = ${from} and used_at is null`,
  )
  const people = await movePeople(work.tx, from, to)
  if (people > 0) {
    moved.push({ kind: 'users', count: people })
    for (const ownerId of [from, to.id])
      work.event({ feature: 'users', id: manyOf(ownerId), kind: 'updated', ownerId })
  }
  return moved
}

/** Sub-users get the successor above them; the successor, where they were one, gets whoever stood above the first. */
async function movePeople(tx: Tx, from: string, to: Successor): Promise<number> {
  await tx.execute(sql`
    update app_user set parent_id = case when id = ${to.id}
        then (select f.parent_id from app_user f where f.id = ${from}) else ${to.above}::uuid end
      where parent_id = ${from}`)
  const result = await tx.execute(sql`
    update app_user set owner_id = case when id = ${to.id}
        then coalesce((select f.owner_id from app_user f where f.id = ${from} and f.owner_id <> f.id), id)
        else ${to.id}::uuid end,
      version = version + 1, updated_at = now()
      where owner_id = ${from} and id <> ${from}`)
  return result.rowCount ?? 0
}

async function changeOwner(tx: Tx, what: OwnedKind, change: SQL): Promise<number> {
  try {
    return await tx.transaction(async (at) => (await at.execute(change)).rowCount ?? 0)
  } catch (error) {
    if (databaseFailure(error)?.code !== '23505') throw error
    throw new AppError('user.transfer_conflict', { what }, { cause: error })
  }
}

/** A campaign's code is its owner's own: one that the successor uses too gets something to tell it by. */
async function freeCampaignCodes(tx: Tx, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    update campaign c set code = left(c.code, 30) || '-' || right(c.id::text, 8)
    where c.owner_id = ${from} and c.deleted_at is null and exists (select 1 from campaign o
      where o.owner_id = ${to} and o.deleted_at is null and o.code = c.code)`)
}
