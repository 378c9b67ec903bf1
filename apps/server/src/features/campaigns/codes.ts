import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../db/connection.ts'

/** A code that this owner does not use yet: the wished one, or it with the next free number. */
export async function freeCode(tx: Tx, ownerId: string, wished: string): Promise<string> {
  const stem = wished.replace(/-\d+$/, '').slice(0, 34)
  const result = await tx.execute(sql`
    select coalesce(max(substring(code from '-([0-9]{1,5})$')::int), 0) as last, count(*)::int as n from campaign
    where owner_id = ${ownerId} and deleted_at is null and (code = ${stem} or code ~ ${`^${escapePattern(stem)}-[0-9]{1,5}$`})`)
  const { last, n } = z.object({ last: z.number(), n: z.number() }).parse(result.rows[0])
  return n === 0 && !/-\d+$/.test(wished) ? stem : `${stem}-${last + 1}`
}

/** A code made from a title: its letters and digits, or `campaign` where it has none of the plain ones. */
export function codeFrom(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, 30)
  return plain || 'campaign'
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')
}
