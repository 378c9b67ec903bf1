import { sql } from 'drizzle-orm'
import type { Tx } from '../../../kit/context.ts'
import { anyOf } from '../../../kit/recordset.ts'

/** Whether the rights to a video `r` have come to their end. */
export const RIGHTS_ARE_OVER = sql`r.rights_until <= now()`

/** The status of a video `r` as campaigns see it: one whose rights have come to their end is not ready any more. */
export const VIDEO_STATUS = sql`case when r.status = 'ready' and ${RIGHTS_ARE_OVER} then 'rights_expired' else r.status end`

/** Which of these videos may not be used any more, as the rights to them are over. */
export async function withoutRights(tx: Tx, ids: readonly (string | null)[]): Promise<ReadonlySet<string>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Set()
  const { rows } = await tx.execute<{ id: string }>(
    sql`select r.id from video r where r.id = ${anyOf(wanted)} and ${RIGHTS_ARE_OVER}`,
  )
  return new Set(rows.map(({ id }) => id))
}
