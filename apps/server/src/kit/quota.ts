import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { QUOTA_KINDS, type QuotaKind } from '@weft/contract/users/quota'
import { AppError } from './app-error.ts'
import type { Tx } from './context.ts'

const TABLES: Readonly<Record<QuotaKind, string>> = {
  clients: 'client',
  accounts: 'account',
  profiles: 'profile',
  phones: 'phone',
  proxies: 'proxy',
  videos: 'video',
  users: 'app_user',
}

/** Whether records of a feature are limited in number. */
export function isQuotaKind(feature: string): feature is QuotaKind {
  return QUOTA_KINDS.some((kind) => kind === feature)
}

const limitRow = z.object({ userId: z.string(), limit: z.number() })
const usedRow = z.object({ used: z.number() })

/** How many records of a kind somebody and all below them have. */
export async function usedBy(tx: Tx, userId: string, kind: QuotaKind): Promise<number> {
  const table = sql.identifier(TABLES[kind])
  // Who is made by somebody counts for them; nobody counts for themselves.
  const itself = kind === 'users' ? sql`and t.id <> t.owner_id` : sql``
  const { rows } = await tx.execute(sql`
    with recursive below as (
      select ${userId}::uuid as id
      union
      select u.id from app_user u join below on u.parent_id = below.id)
    select count(*)::int as used from ${table} t join below on t.owner_id = below.id where t.deleted_at is null ${itself}`)
  return usedRow.parse(rows[0]).used
}

/** The limits that apply to somebody: their own and those of all above them, the narrowest first. */
export async function limitsOf(
  tx: Tx,
  userId: string,
  kind: QuotaKind,
): Promise<{ userId: string; limit: number }[]> {
  const { rows } = await tx.execute(sql`
    with recursive line as (
      select id, parent_id from app_user where id = ${userId}
      union
      select above.id, above.parent_id from app_user above join line on above.id = line.parent_id)
    select q.user_id as "userId", q.max_count as "limit" from user_quota q join line on line.id = q.user_id
    where q.kind = ${kind} order by q.max_count`)
  return rows.map((row) => limitRow.parse(row))
}

/**
 * Refuses to make more records than somebody, or anybody above them, may have. Two who make some at once take turns where
 * there is a limit, so that together they do not pass it.
 */
export async function requireRoom(tx: Tx, userId: string, kind: QuotaKind, adding = 1): Promise<void> {
  const room = await roomFor(tx, userId, kind, adding)
  if (room && room.left < adding) throw new AppError('quota.exceeded', { what: kind, limit: room.limit })
}

/** How many more of a kind somebody may have, counted only where they have a limit; undefined where there is none. */
export async function roomFor(
  tx: Tx,
  userId: string,
  kind: QuotaKind,
  adding: number,
): Promise<{ left: number; limit: number } | undefined> {
  if (adding <= 0) return undefined
  const limits = await limitsOf(tx, userId, kind)
  let narrowest: { left: number; limit: number } | undefined
  for (const { userId: holder, limit } of limits) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${holder} ${kind}`}, 0))`)
    const left = Math.max(0, limit - (await usedBy(tx, holder, kind)))
    if (!narrowest || left < narrowest.left) narrowest = { left, limit }
  }
  return narrowest
}
