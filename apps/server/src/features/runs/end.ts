import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { itemMachine, type ItemEvent } from '@weft/contract/campaigns/states'
import { errorPolicySchema } from '@weft/contract/campaigns/schema'
import { runMachine, type RunError, type RunResult } from '@weft/contract/runs/schema'
import { stateAfter, stateAllows } from '../../kit/machine-sql.ts'
import { anyOf, recordset } from '../../kit/recordset.ts'
import type { Tx } from '../../kit/context.ts'
import { moveAccounts, type AccountUse } from '../accounts/moves.ts'
import { tellUncertain } from '../campaigns/tell.ts'
import { keepHolds, type NewHold } from './holds.ts'
import { settle, type Verdict } from './settle.ts'

/** How one run ended, as told by its agent or concluded by the server. */
export interface RunEnd {
  runId: string
  result: RunResult
  error: RunError | null
  outputs: Record<string, unknown>
  browser: string | null
  accountRejected: boolean
  /** Of a run that left to wait. */
  hold?: NewHold | null
  /** What its last events say of it, where they came with the end. */
  told?: Told | undefined
}

/** What events of a run mean for the run itself. */
export interface Told {
  ack: number
  intents: string[]
  confirmed: string[]
  step: string | null
}

/** What came of it: the campaign to look at, the client that has a free slot now. */
export interface Ended {
  runId: string
  campaignId: string | null
  ownerId: string | null
  itemId: string | null
  clientId: string
  verdict: Verdict | null
  accountId: string | null
  /** What lists show of the account is another: a person had it in hand, or its status moved. */
  accountMoved: boolean
  /** Of a test run: what is tested, and for whom. */
  test: { workflowId: string; startedBy: string } | null
}

const lockedRow = z.object({
  id: z.string(),
  owner_id: z.string().nullable(),
  campaign_id: z.string().nullable(),
  item_id: z.string().nullable(),
  client_id: z.string(),
  account_id: z.string().nullable(),
  attended: z.boolean(),
  workflow_id: z.string().nullable(),
  tester: z.string().nullable(),
  attempt: z.number(),
  cycle: z.string(),
  intents: z.array(z.string()),
  confirmed: z.array(z.string()),
  cancelled: z.boolean(),
  errors: errorPolicySchema.nullable(),
  forgiven: z.number().nullable(),
})

const RESULT = {
  id: 'uuid',
  result: 'text',
  error: 'jsonb',
  outputs: 'jsonb',
  browser: 'text',
  ack: 'int',
  step: 'text',
  intents: 'jsonb',
  confirmed: 'jsonb',
} as const
const MOVE = {
  id: 'uuid',
  run: 'uuid',
  error: 'jsonb',
  outputs: 'jsonb',
  wait: 'float8',
  hold: 'uuid',
  unused: 'boolean',
} as const
type Row<Columns> = Record<keyof Columns, unknown>

/**
 * Ends runs and settles their items, set by set, in the caller's transaction: result, ledger, leases and account in one.
 * Runs that are over already are passed over, so a second end changes nothing.
 */
export async function endRuns(tx: Tx, ends: readonly RunEnd[]): Promise<Ended[]> {
  if (ends.length === 0) return []
  const byId = new Map(ends.map((end) => [end.runId, end]))
  const locked = await tx.execute(sql`
    select r.id, r.owner_id, r.campaign_id, r.item_id, r.client_id, r.account_id, r.workflow_id is null as attended, r.workflow_id, t.started_by as tester, r.attempt, r.cycle, r.intents, r.confirmed,
      r.cancel_requested_at is not null as cancelled, c.errors, i.attempts_forgiven as forgiven
    from run r left join campaign_item i on i.id = r.item_id left join campaign c on c.id = r.campaign_id
    left join test_run t on t.run_id = r.id and r.release is null
    where r.id = ${anyOf([...byId.keys()])} and r.cycle <> 'finished'
    order by r.id for update of r`)
  const ended: Ended[] = []
  const results: Row<typeof RESULT>[] = []
  const verdicts = new Map<ItemEvent, Row<typeof MOVE>[]>()
  const used = new Map<string, AccountUse>()
  /** An author's trial, or a run that left to wait, acts on the account and says nothing of how the account does. */
  const tested: string[] = []
  /** Those that did something with what they had. */
  const begun: string[] = []
  for (const raw of locked.rows) {
    const row = lockedRow.parse(raw)
    const end = byId.get(row.id)
    if (!end) continue
    const began = row.cycle === 'running' || row.cycle === 'waiting'
    if (began) begun.push(row.id)
    const verdict = row.item_id
      ? settle({
          result: end.result,
          error: end.error,
          attempt: row.attempt - (row.forgiven ?? 0),
          maxAttempts: row.errors?.attempts ?? 1,
          backoffSeconds: row.errors?.backoffSeconds ?? 0,
          openIntents: end.told?.intents ?? row.intents,
          confirmed: end.told?.confirmed ?? row.confirmed,
          cancelRequested: row.cancelled,
          heldSeconds: end.hold?.wait.seconds ?? null,
          began,
        })
      : null
    results.push({
      id: row.id,
      result: end.result,
      error: end.error,
      outputs: end.result === 'succeeded' ? end.outputs : null,
      browser: end.browser,
      ack: end.told?.ack ?? null,
      step: end.told?.step ?? null,
      intents: end.told?.intents ?? null,
      confirmed: end.told?.confirmed ?? null,
    })
    if (verdict && row.item_id) {
      const list = verdicts.get(verdict.event) ?? []
      list.push({
        id: row.item_id,
        run: row.id,
        error: verdict.error,
        outputs: verdict.event === 'succeed' ? end.outputs : null,
        wait: verdict.retryInSeconds,
        hold: verdict.event === 'hold' ? (end.hold?.id ?? null) : null,
        // An attempt that waits goes on later, and is counted then.
        unused: verdict.event === 'hold' || (verdict.event === 'giveBack' && end.result !== 'rejected'),
      })
      verdicts.set(verdict.event, list)
    }
    // What a person did by hand says nothing of how the account does; saving it does.
    if (row.account_id && began && (row.tester !== null || verdict?.event === 'hold'))
      tested.push(row.account_id)
    else if (row.account_id && began && !row.attended)
      used.set(row.account_id, {
        id: row.account_id,
        error: end.result === 'succeeded' ? null : (end.error?.message ?? end.result),
        // Attempts that are made again say nothing yet.
        failed: verdict?.event === 'fail' && (end.result === 'failed' || end.result === 'timed_out'),
        person: verdict?.event === 'fail' ? personReason(end) : null,
        concerned: row.owner_id,
      })
    ended.push({
      runId: row.id,
      campaignId: row.campaign_id,
      ownerId: row.owner_id,
      itemId: row.item_id,
      clientId: row.client_id,
      verdict,
      accountId: row.account_id,
      accountMoved: row.attended && row.account_id !== null,
      test:
        row.tester !== null && row.workflow_id !== null
          ? { workflowId: row.workflow_id, startedBy: row.tester }
          : null,
    })
  }
  if (ended.length === 0) return []
  const ids = ended.map((entry) => entry.runId)
  await tx.execute(sql`
    update run r set cycle = ${stateAfter(runMachine, 'finish', sql`r.cycle`)}, result = v.result, error = v.error,
      outputs = v.outputs, browser = coalesce(v.browser, r.browser), finished_at = now(),
      events_ack = coalesce(v.ack, r.events_ack), step = coalesce(v.step, r.step),
      intents = case when v.ack is null then r.intents else array(select jsonb_array_elements_text(v.intents)) end,
      confirmed = case when v.ack is null then r.confirmed else array(select jsonb_array_elements_text(v.confirmed)) end
    from ${recordset(RESULT, results)}
    where r.id = v.id`)
  await tx.execute(sql`
    with free as (delete from resource_lease where run_id = ${anyOf(ids)} returning kind, resource_id, run_id)
    update phone set last_used_at = now() from free
    where free.kind = 'phone' and phone.id = free.resource_id and free.run_id = ${anyOf(begun)}`)
  const holds = (verdicts.get('hold') ?? []).flatMap(({ run }) => {
    const hold = byId.get(String(run))?.hold
    return hold ? [{ ...hold, runId: String(run) }] : []
  })
  await keepHolds(tx, holds)
  for (const [event, rows] of verdicts) await moveItems(tx, event, rows)
  const doubted = ended
    .filter(({ verdict }) => verdict?.event === 'doubt')
    .map(({ campaignId }) => campaignId)
  if (doubted.length > 0)
    await tellUncertain(
      tx,
      [...new Set(doubted)].filter((id) => id !== null),
    )
  if (tested.length > 0)
    await tx.execute(sql`update account set last_used_at = now() where id = ${anyOf(tested)}`)
  const moved = await moveAccounts(tx, [...used.values()])
  for (const entry of ended) if (entry.accountId && moved.has(entry.accountId)) entry.accountMoved = true
  return ended
}

/** Why the account needs a person, if this end says so. */
function personReason({ accountRejected, error }: RunEnd): 'rejected' | 'challenge' | null {
  if (accountRejected) return 'rejected'
  return error?.class === 'PersonNeeded' ? 'challenge' : null
}

const SETTLING: readonly ItemEvent[] = ['succeed', 'fail', 'cancel']

async function moveItems(tx: Tx, event: ItemEvent, rows: Row<typeof MOVE>[]): Promise<void> {
  const settles = SETTLING.includes(event)
  await tx.execute(sql`
    update campaign_item i set state = ${stateAfter(itemMachine, event, sql`i.state`)}, error = v.error,
      outputs = coalesce(v.outputs, i.outputs),
      attempt = i.attempt - case when v.unused then 1 else 0 end,
      ready_at = case when v.wait > 0 then now() + make_interval(secs => v.wait) end,
      hold_id = coalesce(v.hold, i.hold_id),
      settled_at = ${settles ? sql`now()` : sql`null`}
    from ${recordset(MOVE, rows)}
    where i.id = v.id and i.run_id = v.run and ${stateAllows(itemMachine, event, sql`i.state`)}`)
}
