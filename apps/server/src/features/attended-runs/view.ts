import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { AWAY_SECONDS, type AttendedRun, type AttendedState } from '@weft/contract/attended-runs/schema'
import { ATTENDED_PURPOSES, RUN_CYCLES, RUN_RESULTS, runErrorSchema } from '@weft/contract/runs/schema'
import { momentOrNull } from '../../kit/moment.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { findRecord } from '../../kit/record.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { accountResource } from '../accounts/resource.ts'
import { profileResource } from '../profiles/resource.ts'
import { workflowSource } from '../workflows/record.ts'

const row = z.object({
  id: z.string(),
  owner_id: z.string().nullable(),
  client_id: z.string(),
  client: z.string(),
  account_id: z.string().nullable(),
  account: z.string().nullable(),
  profile_id: z.string().nullable(),
  profile: z.string().nullable(),
  purpose: z.enum(ATTENDED_PURPOSES),
  workflow_id: z.string().nullable(),
  cycle: z.enum(RUN_CYCLES),
  result: z.enum(RUN_RESULTS).nullable(),
  error: runErrorSchema.nullable(),
  fence: z.number(),
  queued_at: momentOrNull,
  claimed_at: momentOrNull,
  finished_at: momentOrNull,
  cancelled: z.boolean(),
  save_asked: z.boolean(),
  saved: z.boolean(),
  has_frame: z.boolean(),
  holder_id: z.string(),
  holder: z.string().nullable(),
  away: z.boolean(),
  watchers: z.array(z.string()),
  seconds: z.number(),
  seconds_left: z.number().nullable(),
})
/** An attended run as its calls need it. */
export type Attended = z.infer<typeof row>

/** What decides how far an attended run is. */
export type Progress = Pick<
  Attended,
  'cycle' | 'result' | 'claimed_at' | 'cancelled' | 'save_asked' | 'saved' | 'has_frame' | 'purpose'
>

/** The state to show. Pure. */
export function stateOf(run: Progress): AttendedState {
  if (run.cycle !== 'finished') {
    if (run.save_asked && run.purpose === 'signIn') return 'saving'
    if (run.cycle === 'queued' || run.cycle === 'leased') return 'waiting'
    return run.has_frame ? 'open' : 'starting'
  }
  if (run.result === 'succeeded' && run.purpose !== 'signIn') return 'closed'
  if (run.result === 'succeeded') return run.saved ? 'saved' : 'failed'
  if (run.result === 'cancelled' || run.cancelled) return 'discarded'
  if (run.result === 'timed_out') return 'timeOver'
  if (run.result === 'rejected') return 'notTaken'
  if (run.result === 'lost') return run.claimed_at === null ? 'notTaken' : 'lost'
  return 'failed'
}

/** Where a browser was opened: the desk has those for signing in, editors of workflows the others. */
export type OpenedFrom = 'desk' | 'editor'

/**
 * The attended run, for those who may. At the desk: who may be shown the secrets of its account, or run its profile. One of
 * an editor is found by whoever opened it alone, as long as they may write its workflow and work with what it has; to close
 * it they need no right any more.
 */
export async function findAttended(
  ctx: Pick<CallContext, 'tx' | 'scope' | 'user'>,
  id: string,
  { of, lock = false, closing = false }: { of: OpenedFrom; lock?: boolean; closing?: boolean },
): Promise<Attended> {
  // The run's own row, as all its agent's calls lock it.
  if (lock) await ctx.tx.execute(sql`select 1 from run where id = ${id} and workflow_id is null for update`)
  const found = await load(ctx.tx, id)
  if (!found || (found.purpose === 'signIn') !== (of === 'desk')) throw new AppError('record.not_found')
  if (of === 'desk') await checkDesk(ctx, found)
  else if (found.holder_id !== ctx.user.id) throw new AppError('record.not_found')
  else if (!closing) await checkEditor(ctx, found)
  return found
}

async function checkDesk(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  { account_id: accountId, profile_id: profileId }: Attended,
): Promise<void> {
  if (profileId !== null) await checkMayHold(ctx, { accountId, profileId })
}

/** Refuses whoever might not open it now: rights may go while it is open. */
async function checkEditor(ctx: Pick<CallContext, 'tx' | 'scope'>, run: Attended): Promise<void> {
  if (run.workflow_id !== null) await findRecord(ctx, workflowSource, run.workflow_id, 'UPDATE')
  if (run.cycle === 'finished') return
  if (run.account_id !== null) await findRecord(ctx, sourceOf(accountResource), run.account_id, 'RUN')
  if (run.profile_id !== null) await findRecord(ctx, sourceOf(profileResource), run.profile_id, 'RUN')
}

/** Refuses those who may not have the browser of an account, or of a profile without one, in hand. */
export async function checkMayHold(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  { accountId, profileId }: { accountId: string | null; profileId: string },
): Promise<void> {
  if (accountId === null) await findRecord(ctx, sourceOf(profileResource), profileId, 'RUN')
  else await findRecord(ctx, sourceOf(accountResource), accountId, 'REVEAL')
}

async function load(tx: Tx, id: string): Promise<Attended | undefined> {
  const { rows } = await tx.execute(sql`
    select r.id, r.owner_id, r.client_id, k.name as client, t.account_id, a.username as account, t.profile_id,
      p.name as profile, t.purpose, t.workflow_id, r.cycle, r.result, r.error, r.fence, r.queued_at, r.claimed_at, r.finished_at,
      r.cancel_requested_at is not null as cancelled, t.save_asked_at is not null as save_asked,
      t.saved_at is not null as saved, exists (select 1 from attended_frame f where f.run_id = r.id) as has_frame,
      t.holder_id, u.username as holder, t.holder_seen_at < now() - make_interval(secs => ${AWAY_SECONDS}) as away,
      t.watchers, t.seconds,
      case when r.started_at is not null and r.finished_at is null
        then greatest(0, floor(t.seconds - extract(epoch from now() - r.started_at)))::int end as seconds_left
    from run r join attended_run t on t.run_id = r.id join client k on k.id = r.client_id
    left join profile p on p.id = t.profile_id left join account a on a.id = t.account_id
    left join app_user u on u.id = t.holder_id
    where r.id = ${id}`)
  return rows[0] && row.parse(rows[0])
}

/** The run as the contract has it, for one person. */
export function present(run: Attended, userId: string): AttendedRun {
  const state = stateOf(run)
  const mine = run.holder_id === userId
  const live = run.cycle !== 'finished'
  const can: string[] = []
  if (live && mine) {
    can.push('look')
    if (state === 'open') can.push('input', 'prolong', 'save')
    can.push('discard')
  }
  if (live && !mine && run.purpose === 'signIn') can.push('watch', ...(run.away ? ['takeOver'] : []))
  return {
    id: run.id,
    purpose: run.purpose,
    workflowId: run.workflow_id,
    accountId: run.account_id,
    accountName: run.account,
    profileId: run.profile_id,
    profileName: run.profile,
    clientId: run.client_id,
    clientName: run.client,
    state,
    error: run.error,
    holderId: run.holder_id,
    holderName: run.holder ?? '',
    mine,
    away: run.away,
    openedAt: run.queued_at ?? '',
    finishedAt: run.finished_at,
    secondsLeft: run.seconds_left,
    can,
  }
}
