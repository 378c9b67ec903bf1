import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import {
  HELD_STATE_MAX_BYTES,
  type finishInput,
  type finishResultSchema,
} from '@weft/contract/agents/reports'
import { byteLength } from '@weft/workflow/json'
import type { Tx } from '../../db/connection.ts'
import type { FileStore } from '../../kit/file-store.ts'
import { newId } from '../../kit/id.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { recordset } from '../../kit/recordset.ts'
import { BINDING } from '../attended-runs/binding.ts'
import { noteSaved } from '../attended-runs/saved.ts'
import { endRuns, type Ended } from '../runs/end.ts'
import { sealHold } from '../runs/holds.ts'
import { carry, fresh, keepEvents, keepLate } from './report.ts'
import { keepValues } from '../test-runs/values.ts'
import type { HeldRun, Holding } from './work.ts'

type Finish = z.output<typeof finishInput>['runs'][number]
type Result = z.output<typeof finishResultSchema>['results'][number]

/** Ends that one agent tells of, and what it holds of them. */
export interface FinishCall {
  runs: readonly Finish[]
  holding: Holding
}

/**
 * Ends runs as their agents tell it. An end repeated is accepted again; one that comes after the run was over is kept as
 * evidence; one whose events have a gap asks for the rest first; one that tells of work by a run that never began is not
 * taken; one that leaves more than may be kept is a failure. Gives the answers call by call.
 */
export async function finishRuns(
  tx: Tx,
  { files, secrets }: { files: FileStore; secrets: Secrets },
  told: readonly FinishCall[],
): Promise<{ results: Result[][]; ended: Ended[] }> {
  const calls = told.map(({ runs, holding }) => ({ runs: runs.map(withinBounds), holding }))
  const results = new Map<Finish, Result>()
  const open: { run: HeldRun; finish: Finish }[] = []
  for (const { runs, holding } of calls)
    for (const finish of runs) {
      const run = holding.held.get(finish.runId)
      if (!run || (neverBegan(run) && claimsWork(finish)) || !mayHold(run, finish)) continue
      if (run.cycle !== 'finished') open.push({ run, finish })
      else if (run.result === finish.result && run.events_ack >= finish.eventCount)
        results.set(finish, { runId: run.id, status: 'accepted' })
      else
        await keepLate(tx, run.id, 'finish', {
          result: finish.result,
          error: finish.error,
          outputs: finish.outputs,
        })
    }
  const changes = await keepEvents(
    tx,
    open.map(({ run, finish }) => ({ run, events: fresh(finish.events, run.events_ack) })),
  )
  const complete = open.filter(({ run, finish }) => run.events_ack >= finish.eventCount)
  const incomplete = open.filter(({ run, finish }) => run.events_ack < finish.eventCount)
  for (const { run, finish } of incomplete)
    results.set(finish, { runId: run.id, status: 'sendMore', from: run.events_ack + 1 })
  await carry(
    tx,
    incomplete.flatMap(({ run }) => changes.get(run.id) ?? []),
  )
  await keepCheckpoints(
    tx,
    complete.map(({ finish }) => finish),
  )
  await keepValues(
    tx,
    complete.flatMap(({ run, finish }) => (run.tester !== null ? [finish] : [])),
  )
  const ended = await endRuns(
    tx,
    complete.map(({ finish }) => ({
      runId: finish.runId,
      result: finish.result,
      error: finish.error,
      outputs: finish.outputs,
      browser: finish.browser,
      accountRejected: finish.accountRejected,
      hold: finish.hold && sealHold(secrets, finish.hold),
      told: changes.get(finish.runId),
    })),
  )
  for (const { run, finish } of complete) {
    results.set(finish, { runId: run.id, status: 'accepted' })
    const kept = finish.snapshot !== null && (await keepSnapshot(tx, files, run, finish.snapshot))
    if (kept && run.workflow_id === null && finish.result === 'succeeded') await noteSaved(tx, run.id)
  }
  return {
    results: calls.map(({ runs }) =>
      runs.map((finish) => results.get(finish) ?? { runId: finish.runId, status: 'superseded' }),
    ),
    ended,
  }
}

/** A run that would leave more than may be kept has failed, as it would have if its agent had looked. */
function withinBounds(finish: Finish): Finish {
  const { result, hold } = finish
  if (result !== 'held' || !hold) return finish
  if (byteLength(JSON.stringify(hold.state)) <= HELD_STATE_MAX_BYTES) return finish
  const { stepId, stepName } = hold
  const message = `The run would leave more than ${HELD_STATE_MAX_BYTES} bytes to be kept.`
  return {
    ...finish,
    result: 'failed',
    error: { class: 'TooLarge', message, stepId, stepName },
    outputs: {},
    hold: null,
  }
}

const neverBegan = ({ cycle }: HeldRun) => cycle === 'queued' || cycle === 'leased'
const claimsWork = ({ result }: Finish) => ['succeeded', 'failed', 'timed_out', 'held'].includes(result)
/** Only an item goes on in another run; a test run and an attended one wait where they are. */
const mayHold = ({ item_id }: HeldRun, { result, hold }: Finish) =>
  result !== 'held' || (item_id !== null && hold !== null)

/** Keeps where runs that did not succeed stood, so that their items can go on from there. */
async function keepCheckpoints(tx: Tx, finishes: readonly Finish[]): Promise<void> {
  const rows = finishes.flatMap(({ runId, result, checkpoint }) =>
    checkpoint && result !== 'succeeded' && result !== 'held' ? [{ id: runId, checkpoint }] : [],
  )
  if (rows.length === 0) return
  await tx.execute(sql`
    update run r set checkpoint = v.checkpoint from ${recordset({ id: 'uuid', checkpoint: 'jsonb' }, rows)}
    where r.id = v.id`)
}

/**
 * Makes an uploaded snapshot the profile's session of the run's account; the caller holds the run, so its fence is the
 * newest. Gives whether it is kept: bytes that never came are not.
 */
async function keepSnapshot(
  tx: Tx,
  files: FileStore,
  run: HeldRun,
  snapshot: { sha256: string; size: number; expiresAt: string | null },
): Promise<boolean> {
  if ((await files.has(snapshot.sha256)) === undefined) return false
  const id = newId()
  await tx.execute(sql`
    insert into file (id, owner_id, name, size, content_type, sha256, purpose, run_id)
    values (${id}, ${run.owner_id}, 'profile.json.gz', ${snapshot.size}, 'application/gzip', ${snapshot.sha256}, 'snapshot', ${run.id})`)
  const { rowCount } = await tx.execute(sql`
    with kept as (
      insert into profile_session (profile_id, account_id, username, file_id, expires_at)
      select b.profile_id, b.account_id, a.username, ${id}, ${snapshot.expiresAt}::timestamptz
      from run r cross join lateral ${BINDING} b left join account a on a.id = b.account_id
      where r.id = ${run.id} and b.profile_id is not null
      on conflict (profile_id, account_id) do update
        set username = excluded.username, file_id = excluded.file_id, saved_at = now(), expires_at = excluded.expires_at
      returning profile_id)
    update profile p set status = 'ready', home_client_id = ${run.client_id}, updated_at = now(), version = p.version + 1
    from kept where p.id = kept.profile_id`)
  // Without a profile the hold keeps it, for the run that goes on.
  if (rowCount === 0)
    await tx.execute(
      sql`update run_hold set file_id = ${id} where run_id = ${run.id} and not in_place and ending is null`,
    )
  return (rowCount ?? 0) > 0
}
