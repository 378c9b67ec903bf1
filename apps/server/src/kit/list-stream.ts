import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../db/connection.ts'
import { leanly } from './lean.ts'

const BATCH = 200
const keyRow = z.object({ id: z.string() })

/**
 * Rows by batches from one snapshot of the database: a cursor walks the ids in order, and each batch is fetched whole.
 * Memory holds a few batches, however many rows there are; a reader that stops early ends the transaction, and for one that
 * never begins there is none.
 */
export async function* readInBatches<Out>(
  tx: Tx,
  keys: (tx: Tx) => SQL,
  fetch: (tx: Tx, ids: readonly string[]) => Promise<readonly Out[]>,
): AsyncGenerator<Out> {
  // Whole batches go through, and few of them wait: rows that wait long outlive the young ones' clearing and fill the memory.
  const out = new PassThrough({ objectMode: true, highWaterMark: 1 })
  const reading = tx.transaction(
    async (at) => {
      // The reader sets the pace; it must not be taken for a transaction that was forgotten.
      await at.execute(sql`set local idle_in_transaction_session_timeout = '10min'`)
      await at.execute(sql`declare matching no scroll cursor for ${keys(at)}`)
      await pipeline(walk(at, fetch), out)
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  out.on('error', () => {
    // Whoever reads is told by their reading; with nobody there any more it is nobody's error.
  })
  reading.catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))))
  yield* leanly(rowsOf(out))
}

async function* rowsOf<Out>(batches: AsyncIterable<readonly Out[]>): AsyncGenerator<Out> {
  for await (const batch of batches) for (const row of batch) yield row
}

async function* walk<Out>(
  tx: Tx,
  fetch: (tx: Tx, ids: readonly string[]) => Promise<readonly Out[]>,
): AsyncGenerator<readonly Out[]> {
  for (;;) {
    const found = await tx.execute(sql`fetch ${sql.raw(String(BATCH))} from matching`)
    const ids = found.rows.map((row) => keyRow.parse(row).id)
    if (ids.length === 0) return
    yield await fetch(tx, ids)
  }
}
