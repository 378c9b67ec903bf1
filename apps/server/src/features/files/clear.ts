import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../kit/context.ts'
import type { FileStore } from '../../kit/file-store.ts'

const UNUSED_FOR_MS = 24 * 3600 * 1000
const hashRow = z.object({ sha256: z.string() })

/** Removes bytes that no row has named for a day: of deleted records, and of uploads that were given up. */
export async function clearUnused(db: Tx, store: FileStore): Promise<void> {
  await store.clear(new Date(Date.now() - UNUSED_FOR_MS), async (hashes) => {
    if (hashes.length === 0) return []
    const found = await db.execute(sql`
      select h as sha256 from unnest(${sql.param(hashes)}::text[]) as h
      where not exists (select 1 from file where file.sha256 = h)`)
    return found.rows.map((row) => hashRow.parse(row).sha256)
  })
}
