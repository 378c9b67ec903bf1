import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../kit/context.ts'
import { anyOf } from '../../kit/recordset.ts'
import { endRuns, type Ended } from './end.ts'

const SWEEP_LIMIT = 500
const unheld = z.object({ id: z.string(), cycle: z.string() })
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
  return giveUp(
    tx,
    due.rows.map((row) => unheld.parse(row)),
  )
}

/** Takes back what a campaign only offered: nobody has begun it. Offers that are being claimed just now stay. */
export async function withdrawOffers(tx: Tx, campaignId: string): Promise<Ended[]> {
  const offered = await tx.execute(sql`
    select r.id, r.cycle from campaign_item i join run r on r.id = i.run_id
    where i.campaign_id = ${campaignId} and i.state = 'leased' and r.cycle = 'queued'
    for update of r skip locked`)
  return giveUp(
    tx,
    offered.rows.map((row) => unheld.parse(row)),
  )
}

async function giveUp(tx: Tx, rows: readonly z.infer<typeof unheld>[]): Promise<Ended[]> {
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
  // What a person began stays, to attend or to test: somebody waits for it, and is told that no client took it up.
  const offers = rows.filter((row) => row.cycle === 'queued').map((row) => row.id)
  if (offers.length > 0)
    await tx.execute(sql`delete from run where id = ${anyOf(offers)} and release is not null`)
  return ended
}
