import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../kit/context.ts'
import type { FileStore } from '../../kit/file-store.ts'

const UNUSED_FOR_MS = 24 * 3600 * 1000
/** Whoever has just stored the same bytes has not named them yet. */
const FRESH_MS = 10 * 60 * 1000
const hashRow = z.object({ sha256: z.string() })

/** Removes the files that were given to pages: no browser is in hand for so long. Their bytes go as soon as nothing names them. */
export async function clearGiven(db: Tx): Promise<void> {
  await db.execute(sql`
    delete from file where purpose = 'page' and created_at < ${new Date(Date.now() - UNUSED_FOR_MS).toISOString()}`)
}

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

/** Removes the bytes of what was deleted for good, where nothing else names them. Fresh ones are left to `clearUnused`. */
export async function dropUnused(db: Tx, store: FileStore, sha256: string): Promise<void> {
  const { rows } = await db.execute(sql`
    select 1 from file where sha256 = ${sha256}
    union all select 1 from video_upload where sha256 = ${sha256} and finished_at is null limit 1`)
  if (rows.length === 0) await store.drop(sha256, new Date(Date.now() - FRESH_MS))
}
