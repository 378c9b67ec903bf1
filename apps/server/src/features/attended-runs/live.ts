import { sql } from 'drizzle-orm'
import { ATTENDED_SECONDS, type AttendInput } from '@weft/contract/attended-runs/schema'
import { sealInput } from '@weft/contract/attended-runs/sealed'
import type { Engine } from '../../engine/engine.ts'
import { stream } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { attendedRuns } from '@weft/contract/attended-runs/api'
import type { TwoPartHandler } from '../../kit/implement.ts'
import { requestCancel, tellToStop } from '../campaigns/stop-runs.ts'
import { endRuns } from '../runs/end.ts'
import { leaseToken } from '../runs/lease-token.ts'
import { checkFiles } from './files.ts'
import type { FrameWaits } from './frames.ts'
import { findAttended, present, stateOf, type Attended, type OpenedFrom } from './view.ts'

interface IdInput {
  id: string
}
/** Whether its row is locked, and whether it is only to be closed. */
type HowFound = { lock?: boolean; closing?: boolean }
/** What there is before a transaction. */
type Before = Parameters<TwoPartHandler<typeof attendedRuns.frame>['before']>[0]

const NOTHING_DONE = {
  result: 'cancelled',
  error: null,
  outputs: {},
  browser: null,
  accountRejected: false,
} as const
/** That somebody looks is written down no more often than this. */
const SEEN_EVERY = sql`interval '5 seconds'`

/** Tells the desk and the lists of runs that something changed with one. */
export function tellOf(ctx: CallContext, run: Attended): void {
  if (run.account_id !== null)
    ctx.event({ feature: 'accounts', id: run.account_id, kind: 'updated', ownerId: run.owner_id })
  ctx.event({ feature: 'runs', id: run.id, kind: 'updated', ownerId: run.owner_id })
}

/** The calls by which a browser is worked that was opened from there, each by whoever has it in hand. */
export function liveHandlers(engine: Engine, frames: FrameWaits, of: OpenedFrom) {
  /** The run that the caller has in hand, to be changed. */
  const inHand = async (ctx: CallContext, id: string, how: HowFound = {}): Promise<Attended> => {
    refuseToken(ctx)
    const found = await findAttended(ctx, id, { lock: true, ...how, of })
    if (found.cycle === 'finished') throw new AppError('attended.closed')
    if (found.holder_id !== ctx.user.id)
      throw new AppError('attended.not_yours', { name: found.holder ?? '' })
    return found
  }
  const open = async (ctx: CallContext, id: string, how: HowFound = {}): Promise<Attended> => {
    const found = await inHand(ctx, id, how)
    if (stateOf(found) !== 'open') throw new AppError('attended.closed')
    return found
  }
  const again = async (ctx: CallContext, id: string, how: HowFound = {}) =>
    present(await findAttended(ctx, id, { ...how, of }), ctx.user.id)

  return {
    get: (ctx: CallContext, { id }: IdInput) => again(ctx, id),

    frame: {
      async before(ctx: Before, { id }: IdInput) {
        // Whoever looks on as somebody else sees what that person sees of records, not of their browser.
        if (ctx.viewer) throw new AppError('access.viewing_as')
        refuseToken(ctx)
        const found = await findAttended({ tx: ctx.db, scope: ctx.scope, user: ctx.user }, id, { of })
        const holds = found.holder_id === ctx.user.id
        if (!holds && !found.watchers.includes(ctx.user.id))
          throw new AppError('attended.not_yours', { name: found.holder ?? '' })
        if (found.cycle === 'finished') throw new AppError('attended.closed')
        await ctx.db.execute(sql`
          update attended_run set looked_at = now(), holder_seen_at = case when ${holds} then now() else holder_seen_at end
          where run_id = ${id}
            and least(looked_at, case when ${holds} then holder_seen_at else looked_at end) < now() - ${SEEN_EVERY}`)
      },
      async handle(ctx: CallContext, { id, after }: IdInput & { after: number }) {
        const frame = await frames.next(ctx.tx, id, after, ctx.signal)
        return stream({
          contentType: 'application/octet-stream',
          status: frame ? 200 : 204,
          length: frame?.length ?? 0,
          body: once(frame),
        })
      },
    },

    async input(ctx: CallContext, { id, events }: IdInput & { events: AttendInput[] }) {
      const run = await open(ctx, id, { lock: false })
      const { client_id: clientId, fence } = run
      await checkFiles(ctx, run, events)
      const sealed = await sealInput(leaseToken(engine.leaseKey, { id, clientId, fence }), events)
      const at = new Date().toISOString()
      ctx.afterCommit(() => engine.deliver(clientId, { type: 'input', runId: id, at, sealed }))
      return { taken: true }
    },

    async prolong(ctx: CallContext, { id }: IdInput) {
      const run = await open(ctx, id)
      const seconds = run.seconds + ATTENDED_SECONDS.more
      if (seconds > ATTENDED_SECONDS.most)
        throw new AppError('attended.too_long', { minutes: ATTENDED_SECONDS.most / 60 })
      await ctx.tx.execute(sql`update attended_run set seconds = ${seconds} where run_id = ${id}`)
      ctx.audit({ feature: 'attendedRuns', recordId: id, after: { minutes: seconds / 60 } })
      const secondsLeft = (run.seconds_left ?? 0) + ATTENDED_SECONDS.more
      ctx.afterCommit(() =>
        engine.deliver(run.client_id, { type: 'attended', runId: id, secondsLeft, save: false }),
      )
      return again(ctx, id)
    },

    async finish(ctx: CallContext, { id, save }: IdInput & { save: boolean }) {
      const closing = true
      const run = save ? await open(ctx, id, { closing }) : await inHand(ctx, id, { closing })
      if (save) {
        await ctx.tx.execute(sql`update attended_run set save_asked_at = now() where run_id = ${id}`)
        const secondsLeft = run.seconds_left ?? 0
        ctx.afterCommit(() =>
          engine.deliver(run.client_id, { type: 'attended', runId: id, secondsLeft, save: true }),
        )
      } else {
        const reason = `discarded by ${ctx.user.username}`
        const asked = await requestCancel(ctx.tx, { runId: id }, reason)
        if (run.cycle === 'queued' || run.cycle === 'leased') {
          // Its agent has not begun: told nothing more, it would only let the lease run out.
          const ended = await endRuns(ctx.tx, [{ ...NOTHING_DONE, runId: id }])
          ctx.afterCommit(() => engine.ended(ended))
        }
        ctx.afterCommit(() => tellToStop(engine, asked, reason))
      }
      ctx.audit({ feature: 'attendedRuns', recordId: id, after: { account: run.account, save } })
      tellOf(ctx, run)
      return again(ctx, id, { closing })
    },
  }
}

/** A browser is for the person who showed who they are, not for what their tokens were made for. */
export function refuseToken({ tokenName }: Pick<CallContext, 'tokenName'>): void {
  if (tokenName !== undefined) throw new AppError('auth.not_by_token')
}

async function* once(bytes: Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  if (bytes) yield bytes
}
