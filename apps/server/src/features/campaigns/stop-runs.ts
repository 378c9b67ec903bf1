import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Engine } from '../../engine/engine.ts'
import { anyOf } from '../../kit/recordset.ts'
import { endRuns } from '../runs/end.ts'

type Which = { campaignId: string } | { runId: string }
interface Asked {
  runId: string
  clientId: string
}

/** Stops runs that are under way: what was only offered ends at once, the agents of the others are told. Gives those runs. */
export async function stopRuns(
  ctx: CallContext,
  engine: Engine,
  which: Which,
  reason: string,
): Promise<Asked[]> {
  const asked = await requestCancel(ctx.tx, which, reason)
  await endUnclaimed(ctx, engine, asked)
  ctx.afterCommit(() => tellToStop(engine, asked, reason))
  return asked
}

const askedRow = z.object({ runId: z.string(), clientId: z.string() })

/** Writes down that these runs are to stop, which their agents hear at the latest with their next heartbeat. */
export async function requestCancel(tx: Tx, which: Which, reason: string): Promise<Asked[]> {
  const those = 'runId' in which ? sql`r.id = ${which.runId}` : sql`r.campaign_id = ${which.campaignId}`
  const { rows } = await tx.execute(sql`
    update run r set cancel_requested_at = now(), cancel_reason = ${reason}, cancel_mode = 'graceful'
    where ${those} and r.finished_at is null and r.cancel_requested_at is null
    returning r.id as "runId", r.client_id as "clientId"`)
  return rows.map((row) => askedRow.parse(row))
}

/** Tells agents now that runs of theirs are to stop. */
export function tellToStop(engine: Engine, asked: readonly Asked[], reason: string): void {
  const { cancelGraceSeconds: graceSeconds } = engine.params
  for (const { runId, clientId } of asked)
    engine.deliver(clientId, { type: 'cancel', runId, mode: 'graceful', graceSeconds, reason })
}

const queuedRow = z.object({ id: z.string() })

/** Ends at once what was only offered: no agent has begun it, so nothing needs stopping. */
async function endUnclaimed(ctx: CallContext, engine: Engine, asked: readonly Asked[]): Promise<void> {
  if (asked.length === 0) return
  const ids = asked.map(({ runId }) => runId)
  const { rows } = await ctx.tx.execute(sql`select id from run where id = ${anyOf(ids)} and cycle = 'queued'`)
  const ended = await endRuns(
    ctx.tx,
    rows.map((row) => ({
      runId: queuedRow.parse(row).id,
      result: 'cancelled',
      error: null,
      outputs: {},
      browser: null,
      accountRejected: false,
    })),
  )
  ctx.afterCommit(() => engine.ended(ended))
}
