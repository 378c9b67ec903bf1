import { eq, sql } from 'drizzle-orm'
import { decisionsFor } from '../../kit/access.ts'
import type { Work } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { importBatch, type ImportRecord } from '../../kit/import/table.ts'
import { lean } from '../../kit/lean.ts'
import { isPassing } from '../../kit/passing.ts'
import { definitionOf } from '../../kit/resource.ts'
import { expectMany, settleMany } from '../../kit/resource/flood.ts'
import { transact, type Actor } from '../../kit/work.ts'
import { loadUser } from '../access/identities.ts'
import { notify } from '../notifications/notify.ts'
import { applyBatch } from './batch.ts'
import { applyImport } from './jobs.ts'
import type { Importer } from './outcome.ts'

/** A job ends after so long and leaves the rest to the next, so that one that was killed is given up soon. */
const RUN_MS = 15_000
/** An import of more rows is a large one. */
const LARGE = 5000

/**
 * Makes records of an import's rows, batch by batch, each in a transaction with what it notes about its rows: killed
 * anywhere, it goes on with the first row that has no outcome yet. Two that run at once take turns.
 */
export async function runImport(deps: Deps, importId: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + RUN_MS
  let end: (() => void) | undefined
  try {
    if (await isLarge(deps, importId)) end = lean()
    for (;;) {
      const late = signal.aborted || performance.now() > deadline
      if (!(await step(deps, importId, late))) return
    }
  } catch (error) {
    // A database that is away comes back, and the queue tries again; anything else will fail the same way again.
    if (isPassing(error)) throw error
    deps.log.error({ err: error, importId }, 'an import failed')
    await deps.db.update(importBatch).set({ state: 'failed' }).where(eq(importBatch.id, importId))
  } finally {
    end?.()
  }
}

async function isLarge({ db }: Deps, importId: string): Promise<boolean> {
  const [row] = await db
    .select({ total: importBatch.total })
    .from(importBatch)
    .where(eq(importBatch.id, importId))
  return (row?.total ?? 0) > LARGE
}

/** One batch, or, when it is late, the next job. False when nothing is left for this one. */
async function step(deps: Deps, importId: string, late: boolean): Promise<boolean> {
  const [batch] = await deps.db.select().from(importBatch).where(eq(importBatch.id, importId))
  if (batch?.state !== 'running') return false
  const user = await loadUser(deps.db, batch.ownerId)
  if (!user) throw new Error('the person who imports may no longer sign in')
  const importer: Importer = { user, ...decisionsFor(user.rules, user.id) }
  return transact(deps, actorOf(importer, batch), async (work) => {
    const held = await hold(work, importId)
    if (!held) return false
    if (late) {
      await work.enqueue(applyImport, { importId })
      return false
    }
    const definition = definitionOf(deps, held.kind)
    await expectMany(work.tx)
    const tally = await applyBatch(work, deps.secrets, importer, definition, held)
    const { ownerId } = held
    if (tally.processed === 0) {
      await work.tx
        .update(importBatch)
        .set({ state: 'finished', finishedAt: sql`now()` })
        .where(eq(importBatch.id, importId))
      const { kind: records, created, updated, skipped, refused } = held
      await notify(work.tx, ownerId, {
        kind: 'import.finished',
        params: { records, created, updated, skipped, refused },
        about: { feature: 'imports', id: importId },
      })
      work.event({ feature: 'imports', id: importId, kind: 'updated', ownerId })
      work.afterCommit(() => settleMany(deps.db, definition.table))
      return false
    }
    await work.tx
      .update(importBatch)
      .set({
        processed: sql`${importBatch.processed} + ${tally.processed}`,
        created: sql`${importBatch.created} + ${tally.created}`,
        updated: sql`${importBatch.updated} + ${tally.updated}`,
        skipped: sql`${importBatch.skipped} + ${tally.skipped}`,
        refused: sql`${importBatch.refused} + ${tally.refused}`,
      })
      .where(eq(importBatch.id, importId))
    work.event({ feature: 'imports', id: importId, kind: 'progress', ownerId })
    return true
  })
}

function actorOf({ user }: Importer, batch: ImportRecord): Actor {
  return { id: user.id, name: user.username, address: '', requestId: '', label: `${batch.kind}.import` }
}

async function hold(work: Work, importId: string): Promise<ImportRecord | undefined> {
  const [row] = await work.tx.select().from(importBatch).where(eq(importBatch.id, importId)).for('update')
  return row?.state === 'running' ? row : undefined
}
