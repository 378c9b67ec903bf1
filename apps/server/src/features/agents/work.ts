import type { KeyObject } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { AgentRefusal } from '@weft/contract/agents/jobs'
import { itemMachine } from '@weft/contract/campaigns/states'
import { runMachine } from '@weft/contract/runs/schema'
import { stateAfter, stateAllows } from '../../kit/machine-sql.ts'
import { anyOf } from '../../kit/recordset.ts'
import type { Tx } from '../../kit/context.ts'
import { holdsLease } from '../runs/lease-token.ts'

/** A run as one of its calls names it. */
export interface Holder {
  runId: string
  leaseToken: string
}

const runRow = z.object({
  id: z.string(),
  client_id: z.string(),
  owner_id: z.string().nullable(),
  campaign_id: z.string().nullable(),
  item_id: z.string().nullable(),
  workflow_id: z.string().nullable(),
  fence: z.number(),
  cycle: z.enum(['queued', 'leased', 'running', 'waiting', 'finished']),
  result: z.string().nullable(),
  held: z.boolean(),
  cancel_mode: z.enum(['graceful', 'now']).nullable(),
  cancel_reason: z.string().nullable(),
  events_ack: z.number(),
  log_bytes: z.coerce.number(),
  intents: z.array(z.string()),
  confirmed: z.array(z.string()),
  /** Who started it, where it is a test run. */
  tester: z.string().nullable(),
})
/** A run that its agent really holds, locked until the end of the transaction. */
export type HeldRun = z.infer<typeof runRow>

/** The runs that one agent names in one call. */
export interface Claimant {
  clientId: string
  holders: readonly Holder[]
}

/** What an agent holds of the runs that it named, and a refusal for each other. */
export interface Holding {
  held: Map<string, HeldRun>
  refused: Map<string, AgentRefusal>
}

/**
 * Locks the runs that agents name and sorts them, for each agent: those that it holds, and a refusal for each other. A
 * run that is over is among the held ones, so that each call can answer a repetition as it answered first.
 */
export async function lockRuns(tx: Tx, key: KeyObject, claimants: readonly Claimant[]): Promise<Holding[]> {
  const runIds = claimants.flatMap(({ holders }) => holders.map(({ runId }) => runId))
  const clientIds = claimants.map(({ clientId }) => clientId)
  // Runs of other agents are not locked. "is true" keeps the planner from reading all that these ever ran.
  const result = await tx.execute(sql`
    select id, client_id, owner_id, campaign_id, item_id, workflow_id, fence, cycle, result, held_until > now() as held, cancel_mode,
      cancel_reason, events_ack, log_bytes, intents, confirmed,
      case when release is null and workflow_id is not null
        then (select started_by from test_run t where t.run_id = run.id) end as tester
    from run where id = ${anyOf(runIds)} and (client_id = ${anyOf(clientIds)}) is true
    order by id for update`)
  const found = new Map(
    result.rows.map((raw) => {
      const row = runRow.parse(raw)
      return [row.id, row]
    }),
  )
  return claimants.map(({ clientId, holders }) => {
    const held = new Map<string, HeldRun>()
    const refused = new Map<string, AgentRefusal>()
    for (const { runId, leaseToken } of holders) {
      const row = found.get(runId)
      if (row?.client_id !== clientId) refused.set(runId, 'unknown')
      else if (!holdsLease(key, { id: row.id, clientId, fence: row.fence }, leaseToken))
        refused.set(runId, 'superseded')
      else held.set(runId, row)
    }
    return { held, refused }
  })
}

/** The one run that an agent names, if it holds it. */
export async function lockRun(
  tx: Tx,
  key: KeyObject,
  clientId: string,
  holder: Holder,
): Promise<HeldRun | undefined> {
  const [holding] = await lockRuns(tx, key, [{ clientId, holders: [holder] }])
  return holding?.held.get(holder.runId)
}

/** Takes offers up. A claim repeated is answered again; one too late is refused. */
export function claimable(row: HeldRun): AgentRefusal | null {
  if (row.cycle === 'finished') return 'superseded'
  if (row.cancel_mode) return 'cancelled'
  if (row.cycle === 'queued' && !row.held) return 'expired'
  return null
}

/** Moves claimed runs on and gives their leases the first term. */
export async function markClaimed(tx: Tx, ids: readonly string[], leaseSeconds: number): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    update run set cycle = ${stateAfter(runMachine, 'claim', sql`cycle`)}, claimed_at = coalesce(claimed_at, now()),
      held_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${anyOf(ids)} and ${stateAllows(runMachine, 'claim', sql`cycle`)}`)
}

/** Begins claimed runs and their items. */
export async function markStarted(tx: Tx, ids: readonly string[], leaseSeconds: number): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    update run r set cycle = ${stateAfter(runMachine, 'start', sql`r.cycle`)}, started_at = now(),
      held_until = now() + make_interval(secs => ${leaseSeconds}), agent_version = c.agent_version
    from client c where c.id = r.client_id and r.id = ${anyOf(ids)} and ${stateAllows(runMachine, 'start', sql`r.cycle`)}`)
  await tx.execute(sql`
    update campaign_item i set state = ${stateAfter(itemMachine, 'start', sql`i.state`)}, started_at = now()
    from run r where r.item_id = i.id and i.run_id = r.id and r.id = ${anyOf(ids)}
      and ${stateAllows(itemMachine, 'start', sql`i.state`)}`)
}

/** Holds leases for another term. */
export async function extend(tx: Tx, ids: readonly string[], leaseSeconds: number): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    update run set held_until = now() + make_interval(secs => ${leaseSeconds})
    where id = ${anyOf(ids)} and cycle in ('leased', 'running', 'waiting')`)
}

/** Whether a held run may go on, and else why not. A lease that ended may not be renewed: it may be another's already. */
export function renewable(row: HeldRun): AgentRefusal | null {
  if (row.cycle === 'finished') return row.result === 'cancelled' ? 'cancelled' : 'superseded'
  if (row.cycle === 'queued') return 'not_allowed'
  return row.held ? null : 'expired'
}
