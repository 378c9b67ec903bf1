import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../kit/context.ts'
import { endRuns, type Ended } from './end.ts'

const SWEEP_LIMIT = 500
/** A gap in the pulse longer than this means that nobody could hear renewals; leases are held for that long more. */
const PULSE_GAP_SECONDS = 5

/**
 * Beats the engine's pulse. After a gap (the server or the database was down) every running lease is held as much
 * longer, so that agents which went on working are not taken for lost.
 */
export async function beat(tx: Tx, leaseSeconds: number): Promise<void> {
  const result = await tx.execute(sql`
    with before as (select at from engine_pulse where id = 1 for update)
    update engine_pulse set at = now() from before where id = 1
    returning extract(epoch from now() - before.at)::float8 as gap`)
  const { gap } = z.object({ gap: z.number() }).parse(result.rows[0])
  if (gap > PULSE_GAP_SECONDS)
    await tx.execute(sql`
      update run set held_until = greatest(held_until, now() + make_interval(secs => ${leaseSeconds}))
      where finished_at is null`)
}

/**
 * Ends what nobody holds any more: offers that were not taken up go back without trace, runs whose lease ended are lost.
 */
export async function sweepRuns(tx: Tx): Promise<Ended[]> {
  const due = await tx.execute(sql`
    select id, cycle from run where finished_at is null and held_until < now()
    order by held_until limit ${SWEEP_LIMIT} for update skip locked`)
  const rows = due.rows.map((row) => z.object({ id: z.string(), cycle: z.string() }).parse(row))
  if (rows.length === 0) return []
  const ended = await endRuns(
    tx,
    rows.map(({ id }) => ({
      runId: id,
      result: 'lost' as const,
      error: null,
      outputs: {},
      browser: null,
      accountRejected: false,
    })),
  )
  const offers = rows.filter((row) => row.cycle === 'queued').map((row) => row.id)
  if (offers.length > 0) await tx.execute(sql`delete from run where id in ${offers}`)
  return ended
}
