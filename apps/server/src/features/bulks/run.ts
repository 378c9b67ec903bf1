import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { selection } from '@weft/contract/core/record'
import { decisionsFor } from '../../kit/access.ts'
import type { Decisions, Work } from '../../kit/context.ts'
import { placeOf } from '../../kit/bulk/begin.ts'
import { applyBulk } from '../../kit/bulk/job.ts'
import type { Doer } from '../../kit/bulk/notes.ts'
import { changeOfUndo, type BulkChange } from '../../kit/bulk/plan.ts'
import { listChunks, selected } from '../../kit/bulk/select.ts'
import { bulkStep } from '../../kit/bulk/step.ts'
import { bulk, bulkChunk, type BulkRecord } from '../../kit/bulk/table.ts'
import type { Deps } from '../../kit/deps.ts'
import { isPassing } from '../../kit/passing.ts'
import { mountedOf } from '../../kit/resource.ts'
import { expectMany, settleMany } from '../../kit/resource/flood.ts'
import { systemActor, transact, type Actor } from '../../kit/work.ts'
import { loadUser } from '../access/identities.ts'
import { notify } from '../notifications/notify.ts'
import { endEarly } from './end.ts'

/** A job ends after so long and leaves the rest to the next, so that one that was killed is given up soon. */
const RUN_MS = 15_000

/** How many chunks are under way at the same time: while one waits for the disk, another works. */
const AT_ONCE = 2

/**
 * Does a large bulk, chunk by chunk, each in a transaction with the count of how far it is: killed anywhere, what was not
 * counted was not done, and others take it up. Any number may run at once; each takes chunks that nobody has.
 */
export async function runBulk(deps: Deps, bulkId: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + RUN_MS
  const late = () => signal.aborted || performance.now() > deadline
  try {
    if (!(await begun(deps, bulkId))) return
    const workers = Array.from({ length: AT_ONCE }, async () => {
      while (!late() && (await nextChunk(deps, bulkId)));
    })
    const failed = (await Promise.allSettled(workers)).find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    await end(deps, bulkId, late())
  } catch (error) {
    // A database that is away comes back, and the queue tries again; anything else will fail the same way again.
    if (isPassing(error)) throw error
    deps.log.error({ err: error, bulkId }, 'a bulk failed')
    await fail(deps, bulkId)
  }
}

/** Ends a bulk that cannot go on, and tells whoever began it. */
async function fail(deps: Deps, bulkId: string): Promise<void> {
  await transact(deps, systemActor('bulks'), async (work) => {
    const row = await hold(work, bulkId)
    if (!row) return
    await endEarly(deps, work, row, 'failed')
    await notify(work.tx, row.userId, {
      kind: 'bulk.failed',
      params: { records: row.kind, done: row.done, left: row.total - row.processed },
      about: { feature: 'bulks', id: row.id },
    })
  })
}

/** Writes down which records match, unless that was done before. False where the bulk is not to be done. */
async function begun(deps: Deps, bulkId: string): Promise<boolean> {
  const found = await running(deps, bulkId)
  if (!found || found.row.listed) return found !== undefined
  return transact(deps, actorOf(found.doer, found.row), async (work) => {
    const held = await hold(work, bulkId)
    if (held && !held.listed) await list(deps, work, found.doer, held)
    return held !== undefined
  })
}

/** A bulk that is to be done, and on whose behalf. */
async function running(deps: Deps, bulkId: string): Promise<{ row: BulkRecord; doer: Doer } | undefined> {
  const [row] = await deps.db.select().from(bulk).where(eq(bulk.id, bulkId))
  return row?.state === 'running' ? { row, doer: await doerOf(deps, row) } : undefined
}

const storedInput = z.object({ selection, fields: z.record(z.string(), z.unknown()) })

/** What was asked for, as it was kept. */
function inputOf({ secrets }: Deps, row: BulkRecord): z.infer<typeof storedInput> | undefined {
  return row.input === null
    ? undefined
    : storedInput.parse(JSON.parse(secrets.open(row.input, placeOf(row.id))))
}

/** Writes down which records match now. */
async function list(deps: Deps, work: Work, doer: Doer, row: BulkRecord): Promise<void> {
  const { definition, listInput } = mountedOf(deps, row.kind)
  const input = inputOf(deps, row)
  const what =
    input === undefined
      ? { done: row.undoes ?? row.id }
      : selected(doer, definition, listInput, input.selection, row)
  const total = await listChunks(work.tx, row.id, definition, what)
  await work.tx.update(bulk).set({ total, listed: true }).where(eq(bulk.id, row.id))
  work.event({ feature: 'bulks', id: row.id, kind: 'progress', ownerId: row.userId })
}

function changeOf(deps: Deps, row: BulkRecord): BulkChange {
  if (row.action === 'undo') return changeOfUndo(row)
  const touches = row.tags.length > 0 ? ['tags'] : row.fields
  return { action: row.action, tags: row.tags, fields: inputOf(deps, row)?.fields ?? {}, touches }
}

/** It was ended while a chunk was under way, which therefore counts as not done. */
class Ended extends Error {}

/** Does a chunk that nobody has; false when there is none. */
async function nextChunk(deps: Deps, bulkId: string): Promise<boolean> {
  const found = await running(deps, bulkId)
  if (!found) return false
  const { row, doer } = found
  const { definition } = mountedOf(deps, row.kind)
  try {
    return await transact(deps, actorOf(doer, row), async (work) => {
      const chunk = await takeChunk(work, bulkId)
      if (!chunk) return false
      await expectMany(work.tx)
      const tally = await bulkStep(work, deps.secrets, doer, definition, row, changeOf(deps, row), chunk)
      const counted = await work.tx
        .update(bulk)
        .set({
          processed: sql`${bulk.processed} + ${tally.processed}`,
          done: sql`${bulk.done} + ${tally.done}`,
          unchanged: sql`${bulk.unchanged} + ${tally.unchanged}`,
          refused: sql`${bulk.refused} + ${tally.refused}`,
        })
        .where(and(eq(bulk.id, bulkId), eq(bulk.state, 'running')))
        .returning({ id: bulk.id })
      if (counted.length === 0) throw new Ended()
      work.event({ feature: 'bulks', id: bulkId, kind: 'progress', ownerId: row.userId })
      return true
    })
  } catch (error) {
    if (error instanceof Ended) return false
    throw error
  }
}

async function takeChunk({ tx }: Work, bulkId: string): Promise<string[] | undefined> {
  const [chunk] = await tx
    .delete(bulkChunk)
    .where(
      and(
        eq(bulkChunk.bulkId, bulkId),
        sql`${bulkChunk.n} = (
          select n from bulk_chunk where bulk_id = ${bulkId} order by n limit 1 for update skip locked)`,
      ),
    )
    .returning({ ids: bulkChunk.ids })
  return chunk?.ids
}

/** Where all chunks are done, the bulk is; what is left of one that is late is for the next job. */
async function end(deps: Deps, bulkId: string, late: boolean): Promise<void> {
  await transact(deps, systemActor('bulks'), async (work) => {
    const row = await hold(work, bulkId)
    if (!row) return
    const [left] = await work.tx
      .select({ n: bulkChunk.n })
      .from(bulkChunk)
      .where(eq(bulkChunk.bulkId, bulkId))
      .limit(1)
    if (left) {
      // Others have it under way, and end it, or are killed and run again.
      if (late) await work.enqueue(applyBulk, { bulkId })
      return
    }
    await work.tx
      .update(bulk)
      .set({ state: 'finished', finishedAt: sql`now()` })
      .where(eq(bulk.id, bulkId))
    work.event({ feature: 'bulks', id: bulkId, kind: 'updated', ownerId: row.userId })
    await notify(work.tx, row.userId, {
      kind: 'bulk.finished',
      params: { records: row.kind, done: row.done, refused: row.refused },
      about: { feature: 'bulks', id: bulkId },
    })
    work.afterCommit(() => settleMany(deps.db, mountedOf(deps, row.kind).definition.table))
  })
}

/** Whoever began it, with the rights they have now; where a token began it, not more than it had. */
async function doerOf(deps: Deps, row: BulkRecord): Promise<Doer> {
  const user = await loadUser(deps.db, row.userId)
  if (!user) throw new Error('the person who began this may no longer sign in')
  const now = decisionsFor(user.rules, user.id)
  const decisions = row.rules === null ? now : both(now, decisionsFor(row.rules, user.id))
  return { user, address: '', requestId: '', ...decisions }
}

function both(a: Decisions, b: Decisions): Decisions {
  return {
    can: (...of) => a.can(...of) && b.can(...of),
    scope: (...of) => sql`(${a.scope(...of)} and ${b.scope(...of)})`,
  }
}

function actorOf({ user }: Doer, { kind }: BulkRecord): Actor {
  return { id: user.id, name: user.username, address: '', requestId: '', label: `${kind}.bulk` }
}

async function hold(work: Work, id: string): Promise<BulkRecord | undefined> {
  const [row] = await work.tx.select().from(bulk).where(eq(bulk.id, id)).for('update')
  return row?.state === 'running' ? row : undefined
}
