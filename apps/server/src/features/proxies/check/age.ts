import { lte, sql } from 'drizzle-orm'
import type { Tx } from '../../../kit/context.ts'
import { recordset } from '../../../kit/recordset.ts'
import { proxy } from '../table.ts'
import { tallied, tallyColumns } from './tally.ts'

const TALLY = { id: 'uuid', tally: 'jsonb', ratio: 'float8', until: 'timestamptz' } as const

/** Has what is older than a day fall out of the tallies of proxies that are not checked meanwhile. */
export async function ageTallies(tx: Tx, now: Date, limit: number): Promise<void> {
  const old = await tx
    .select({ id: proxy.id, tally: proxy.tally })
    .from(proxy)
    .where(lte(proxy.tallyUntil, now))
    .orderBy(proxy.tallyUntil)
    .limit(limit)
    .for('update', { skipLocked: true })
  if (old.length === 0) return
  const rows = old.map(({ id, tally }) => ({ id, ...tallyColumns(tallied(tally, now)) }))
  await tx.execute(sql`
    update proxy p set tally = v.tally, success_ratio_24h = v.ratio, tally_until = v.until
    from ${recordset(TALLY, rows)} where p.id = v.id`)
}
