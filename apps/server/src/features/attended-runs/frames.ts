import type { KeyObject } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { decodeFrame, encodeFrame } from '@weft/contract/attended-runs/frame'
import { FRAME_WAIT_MS, frameMetaSchema } from '@weft/contract/attended-runs/schema'
import type { Tx } from '../../db/connection.ts'
import { AppError } from '../../kit/app-error.ts'
import { holdsLease } from '../runs/lease-token.ts'

/** The channel on which all processes hear of a new picture, or that there will be none any more. */
export const FRAME_CHANNEL = 'weft_attended_frame'

const heldRow = z.object({
  fence: z.number(),
  accountId: z.string().nullable(),
  ownerId: z.string().nullable(),
  wanted: z.boolean(),
})
/** A viewer that is open asks at least so often. */
const LOOKED_SECONDS = 2 * (FRAME_WAIT_MS / 1000)

/** Keeps the newest picture of a run, from the agent that holds it; says whether it is the first of all. */
export async function keepFrame(
  tx: Tx,
  key: KeyObject,
  { clientId, runId, leaseToken }: { clientId: string; runId: string; leaseToken: string },
  bytes: Uint8Array,
): Promise<{ isFirst: boolean; wanted: boolean; accountId: string | null; ownerId: string | null }> {
  // Whoever ends the run is waited for: nothing is kept after its end.
  const found = await tx.execute(sql`
    select r.fence, r.account_id as "accountId", r.owner_id as "ownerId",
      t.looked_at > now() - make_interval(secs => ${LOOKED_SECONDS}) as wanted
    from run r join attended_run t on t.run_id = r.id where r.id = ${runId} and r.client_id = ${clientId} and r.workflow_id is null
      and cycle = 'running' and held_until > now() for share of r`)
  const held = heldRow.safeParse(found.rows[0])
  if (!held.success || !holdsLease(key, { id: runId, clientId, fence: held.data.fence }, leaseToken))
    throw new AppError('agent.unknown_run')
  const frame = decodeFrame(bytes)
  if (!frame) throw new AppError('attended.bad_frame')
  const { meta, jpeg } = frame
  const kept = await tx.execute(sql`
    insert into attended_frame as f (run_id, number, meta, jpeg)
    values (${runId}, ${meta.number}, ${JSON.stringify(meta)}::jsonb, ${Buffer.from(jpeg)})
    on conflict (run_id) do update set number = excluded.number, at = now(), meta = excluded.meta, jpeg = excluded.jpeg
    where f.number < excluded.number returning xmax = 0 as first`)
  await tx.execute(sql`select pg_notify(${FRAME_CHANNEL}, ${runId})`)
  const { accountId, ownerId, wanted } = held.data
  return { isFirst: kept.rows[0]?.['first'] === true, wanted, accountId, ownerId }
}

const frameRow = z.object({ meta: frameMetaSchema, jpeg: z.instanceof(Buffer) })

/** Who waits in this process for pictures, and what wakes them. */
export class FrameWaits {
  readonly #waiting = new Map<string, Set<() => void>>()

  /** Wakes who waits for a run, or all where a notice may have been missed. */
  wake(runId: string | undefined): void {
    const sets = runId === undefined ? [...this.#waiting.values()] : [this.#waiting.get(runId) ?? []]
    for (const set of sets) for (const go of set) go()
  }

  /** The newest picture after a number, as bytes; undefined where there was none for a while or the run is over. */
  async next(tx: Tx, runId: string, after: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const deadline = performance.now() + FRAME_WAIT_MS
    for (;;) {
      const woken = this.#wait(runId, Math.max(0, deadline - performance.now()), signal)
      const found = await tx.execute(sql`
        select meta, jpeg from attended_frame where run_id = ${runId} and number > ${after}`)
      const row = frameRow.safeParse(found.rows[0])
      if (row.success) {
        woken.leave()
        return encodeFrame({ meta: row.data.meta, jpeg: new Uint8Array(row.data.jpeg) })
      }
      if ((await woken.done) === 'late' || signal.aborted || (await isOver(tx, runId))) return undefined
    }
  }

  #wait(
    runId: string,
    ms: number,
    signal: AbortSignal,
  ): { done: Promise<'woken' | 'late'>; leave: () => void } {
    const { promise, resolve } = Promise.withResolvers<'woken' | 'late'>()
    const set = this.#waiting.get(runId) ?? new Set()
    this.#waiting.set(runId, set)
    const go = () => end('woken')
    const late = () => end('late')
    const timer = setTimeout(late, ms)
    const end = (how: 'woken' | 'late') => {
      clearTimeout(timer)
      signal.removeEventListener('abort', late)
      set.delete(go)
      if (set.size === 0 && this.#waiting.get(runId) === set) this.#waiting.delete(runId)
      resolve(how)
    }
    set.add(go)
    signal.addEventListener('abort', late, { once: true })
    return { done: promise, leave: go }
  }
}

async function isOver(tx: Tx, runId: string): Promise<boolean> {
  const found = await tx.execute(sql`select 1 from run where id = ${runId} and finished_at is null`)
  return found.rows.length === 0
}
