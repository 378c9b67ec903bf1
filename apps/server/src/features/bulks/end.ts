import { and, eq, sql } from 'drizzle-orm'
import { bulk, type BulkRecord } from '../../kit/bulk/table.ts'
import type { Work } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { mountedOf } from '../../kit/resource.ts'
import { settleMany } from '../../kit/resource/flood.ts'

/** Ends a bulk before all of it is done. What it was to take back can be taken back again. */
export async function endEarly(
  deps: Deps,
  work: Work,
  { id, kind, userId, undoes }: BulkRecord,
  state: 'cancelled' | 'failed',
): Promise<void> {
  await work.tx
    .update(bulk)
    .set({ state, finishedAt: sql`now()` })
    .where(eq(bulk.id, id))
  work.event({ feature: 'bulks', id, kind: 'updated', ownerId: userId })
  if (undoes !== null) {
    await work.tx
      .update(bulk)
      .set({ state: 'finished' })
      .where(and(eq(bulk.id, undoes), eq(bulk.state, 'undone')))
    work.event({ feature: 'bulks', id: undoes, kind: 'updated', ownerId: userId })
  }
  work.afterCommit(() => settleMany(deps.db, mountedOf(deps, kind).definition.table))
}
