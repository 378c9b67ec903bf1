import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { selection } from '@weft/contract/core/record'
import { decisionsFor } from '../../kit/access.ts'
import type { Decisions, Work } from '../../kit/context.ts'
import { placeOf } from '../../kit/bulk/begin.ts'
import { applyBulk } from '../../kit/bulk/job.ts'
import { changeOfUndo, type BulkChange } from '../../kit/bulk/plan.ts'
import { listChunks, selected } from '../../kit/bulk/select.ts'
import { bulkStep, type Doer } from '../../kit/bulk/step.ts'
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

/**
 * Does a large bulk, chunk by chunk, each in a transaction with the count of how far it is: killed anywhere, it goes on with
 * the next chunk. Two that run at once take turns.
 */
export async function runBulk(deps: Deps, bulkId: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + RUN_MS
  try {
    for (;;) {
      const late = signal.aborted || performance.now() > deadline
      if (!(await step(deps, bulkId, late))) return
    }
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

/** One chunk, or, when it is late, the next job. False when nothing is left for this one. */
async function step(deps: Deps, bulkId: string, late: boolean): Promise<boolean> {
  const [row] = await deps.db.select().from(bulk).where(eq(bulk.id, bulkId))
  if (row?.state !== 'running') return false
  const doer = await doerOf(deps, row)
  return transact(deps, actorOf(doer, row), async (work) => {
    const held = await hold(work, bulkId)
    if (!held) return false
    if (late) {
      await work.enqueue(applyBulk, { bulkId })
      return false
    }
    return held.listed ? nextChunk(deps, work, doer, held) : list(deps, work, doer, held)
  })
}

const storedInput = z.object({ selection, fields: z.record(z.string(), z.unknown()) })

/** What was asked for, as it was kept. */
function inputOf({ secrets }: Deps, row: BulkRecord): z.infer<typeof storedInput> | undefined {
  return row.input === null
    ? undefined
    : storedInput.parse(JSON.parse(secrets.open(row.input, placeOf(row.id))))
}

/** Writes down which records match now. */
async function list(deps: Deps, work: Work, doer: Doer, row: BulkRecord): Promise<boolean> {
  const { definition, listInput } = mountedOf(deps, row.kind)
  const input = inputOf(deps, row)
  const what =
    input === undefined
      ? { done: row.undoes ?? row.id }
      : selected(doer, definition, listInput, input.selection, row)
  const total = await listChunks(work.tx, row.id, definition, what)
  await work.tx.update(bulk).set({ total, listed: true }).where(eq(bulk.id, row.id))
  work.event({ feature: 'bulks', id: row.id, kind: 'progress', ownerId: row.userId })
  return true
}

function changeOf(deps: Deps, row: BulkRecord): BulkChange {
  if (row.action === 'undo') return changeOfUndo(row)
  const touches = row.tags.length > 0 ? ['tags'] : row.fields
  return { action: row.action, tags: row.tags, fields: inputOf(deps, row)?.fields ?? {}, touches }
}

async function nextChunk(deps: Deps, work: Work, doer: Doer, row: BulkRecord): Promise<boolean> {
  const [chunk] = await work.tx
    .delete(bulkChunk)
    .where(and(eq(bulkChunk.bulkId, row.id), eq(bulkChunk.n, row.nextChunk)))
    .returning()
  if (!chunk) {
    await work.tx
      .update(bulk)
      .set({ state: 'finished', finishedAt: sql`now()` })
      .where(eq(bulk.id, row.id))
    work.event({ feature: 'bulks', id: row.id, kind: 'updated', ownerId: row.userId })
    await notify(work.tx, row.userId, {
      kind: 'bulk.finished',
      params: { records: row.kind, done: row.done, refused: row.refused },
      about: { feature: 'bulks', id: row.id },
    })
    work.afterCommit(() => settleMany(deps.db, mountedOf(deps, row.kind).definition.table))
    return false
  }
  const change = changeOf(deps, row)
  const { definition } = mountedOf(deps, row.kind)
  await expectMany(work.tx)
  const tally = await bulkStep(work, deps.secrets, doer, definition, row, change, chunk.ids)
  await work.tx
    .update(bulk)
    .set({
      nextChunk: row.nextChunk + 1,
      processed: sql`${bulk.processed} + ${tally.processed}`,
      done: sql`${bulk.done} + ${tally.done}`,
      unchanged: sql`${bulk.unchanged} + ${tally.unchanged}`,
      refused: sql`${bulk.refused} + ${tally.refused}`,
    })
    .where(eq(bulk.id, row.id))
  work.event({ feature: 'bulks', id: row.id, kind: 'progress', ownerId: row.userId })
  return true
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
