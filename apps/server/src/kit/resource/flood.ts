import { getTableName, sql } from 'drizzle-orm'
import type { Tx } from '../context.ts'
import type { ResourceTable } from './definition.ts'

/**
 * Has this transaction put what it adds to the index of letters onto a longer waiting list, which is worked in at once: by the
 * usual one, thousands of changes would each touch the same pages again and again.
 */
export async function expectMany(tx: Tx): Promise<void> {
  await tx.execute(
    sql`select set_config('gin_pending_list_limit', '65536', true), set_config('work_mem', '65536', true)`,
  )
}

/** Works in what waits, after very many changes, so that searches do not go through the waiting list. */
export async function settleMany(db: Tx, table: ResourceTable): Promise<void> {
  const name = getTableName(table)
  await db.execute(sql`
    select gin_clean_pending_list(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid in (to_regclass(${name}), to_regclass(${`${name}_search`})) and a.amname = 'gin'`)
}
