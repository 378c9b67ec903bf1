import { sql } from 'drizzle-orm'
import { attendedRuns } from '@weft/contract/attended-runs/api'
import { ATTENDED_SECONDS } from '@weft/contract/attended-runs/schema'
import { sealInput } from '@weft/contract/attended-runs/sealed'
import { stream } from '../../kit/answers.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { prepared, type Implementation } from '../../kit/implement.ts'
import type { Engine } from '../../engine/engine.ts'
import { requireProof } from '../access/proof.ts'
import { requestCancel } from '../campaigns/begin.ts'
import { endRuns } from '../runs/end.ts'
import { leaseToken } from '../runs/lease-token.ts'
import type { FrameWaits } from './frames.ts'
import { openAttended } from './open.ts'
import { queue } from './queue.ts'
import { findAttended, present, stateOf, type Attended } from './view.ts'

const NOTHING_DONE = {
  result: 'cancelled',
  error: null,
  outputs: {},
  browser: null,
  accountRejected: false,
} as const
/** That somebody looks is written down no more often than this. */
const SEEN_EVERY = sql`interval '5 seconds'`

/**
 * The calls of the sign-in desk. A browser that is signed in is worth as much as the account's password, so whoever wants to
 * have it in hand, or look on, shows first who they are.
 */
export function attendedRunHandlers(
  engine: Engine,
  frames: FrameWaits,
  now: () => Date,
): Implementation<typeof attendedRuns> {
  /** The run that the caller has in hand, to be changed. */
  const inHand = async (ctx: CallContext, id: string, lock = true): Promise<Attended> => {
    refuseToken(ctx)
    const found = await findAttended(ctx, id, { lock })
    if (found.cycle === 'finished') throw new AppError('attended.closed')
    if (found.holder_id !== ctx.user.id)
      throw new AppError('attended.not_yours', { name: found.holder ?? '' })
    return found
  }
  const open = async (ctx: CallContext, id: string, lock = true): Promise<Attended> => {
    const found = await inHand(ctx, id, lock)
    if (stateOf(found) !== 'open') throw new AppError('attended.closed')
    return found
  }
  const told = (ctx: CallContext, run: Attended) => {
    if (run.account_id !== null)
      ctx.event({ feature: 'accounts', id: run.account_id, kind: 'updated', ownerId: run.owner_id })
    ctx.event({ feature: 'runs', id: run.id, kind: 'updated', ownerId: run.owner_id })
  }
  const again = async (ctx: CallContext, id: string) => present(await findAttended(ctx, id), ctx.user.id)

  return {
    queue: (ctx, input) => queue(ctx, input),

    async open(ctx, input) {
      await requireProof(ctx, now())
      if (!(await engine.isOpen())) throw new AppError('system.maintenance')
      const offer = await openAttended(ctx, input, engine.params)
      const made = await findAttended(ctx, offer.runId)
      ctx.audit({
        feature: 'attendedRuns',
        recordId: offer.runId,
        after: { account: made.account, profile: made.profile, client: made.client },
      })
      told(ctx, made)
      ctx.afterCommit(() => engine.deliver(offer.clientId, engine.offerCommand(offer)))
      return present(made, ctx.user.id)
    },

    get: (ctx, { id }) => again(ctx, id),

    async watch(ctx, { id }) {
      await requireProof(ctx, now())
      const found = await findAttended(ctx, id, { lock: true })
      if (found.cycle === 'finished') throw new AppError('attended.closed')
      await ctx.tx.execute(sql`
        update attended_run set watchers = array_append(array_remove(watchers, ${ctx.user.id}::uuid), ${ctx.user.id}::uuid)
        where run_id = ${id}`)
      ctx.audit({
        feature: 'attendedRuns',
        recordId: id,
        after: { account: found.account, holder: found.holder },
      })
      return again(ctx, id)
    },

    async takeOver(ctx, { id }) {
      await requireProof(ctx, now())
      const found = await findAttended(ctx, id, { lock: true })
      if (found.cycle === 'finished') throw new AppError('attended.closed')
      if (found.holder_id !== ctx.user.id && !found.away)
        throw new AppError('attended.not_away', { name: found.holder ?? '' })
      await ctx.tx.execute(sql`
        update attended_run set holder_id = ${ctx.user.id}, holder_seen_at = now() where run_id = ${id}`)
      ctx.audit({
        feature: 'attendedRuns',
        recordId: id,
        before: { holder: found.holder },
        after: { holder: ctx.user.username },
      })
      told(ctx, found)
      return again(ctx, id)
    },

    frame: prepared(
      attendedRuns.frame,
      async (ctx, { id }) => {
        // Whoever looks on as somebody else sees what that person sees of records, not of their browser.
        if (ctx.viewer) throw new AppError('access.viewing_as')
        refuseToken(ctx)
        const found = await findAttended({ tx: ctx.db, scope: ctx.scope }, id)
        const holds = found.holder_id === ctx.user.id
        if (!holds && !found.watchers.includes(ctx.user.id))
          throw new AppError('attended.not_yours', { name: found.holder ?? '' })
        if (found.cycle === 'finished') throw new AppError('attended.closed')
        await ctx.db.execute(sql`
          update attended_run set looked_at = now(), holder_seen_at = case when ${holds} then now() else holder_seen_at end
          where run_id = ${id}
            and least(looked_at, case when ${holds} then holder_seen_at else looked_at end) < now() - ${SEEN_EVERY}`)
      },
      async (ctx, { id, after }) => {
        const frame = await frames.next(ctx.tx, id, after, ctx.signal)
        return stream({
          contentType: 'application/octet-stream',
          status: frame ? 200 : 204,
          length: frame?.length ?? 0,
          body: once(frame),
        })
      },
    ),

    async input(ctx, { id, events }) {
      const { client_id: clientId, fence } = await open(ctx, id, false)
      const sealed = await sealInput(leaseToken(engine.leaseKey, { id, clientId, fence }), events)
      const at = new Date().toISOString()
      ctx.afterCommit(() => engine.deliver(clientId, { type: 'input', runId: id, at, sealed }))
      return { taken: true }
    },

    async prolong(ctx, { id }) {
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

    async finish(ctx, { id, save }) {
      const run = save ? await open(ctx, id) : await inHand(ctx, id)
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
        const { cancelGraceSeconds: graceSeconds } = engine.params
        ctx.afterCommit(() => {
          for (const { runId, clientId } of asked)
            engine.deliver(clientId, { type: 'cancel', runId, mode: 'graceful', graceSeconds, reason })
        })
      }
      ctx.audit({ feature: 'attendedRuns', recordId: id, after: { account: run.account, save } })
      told(ctx, run)
      return again(ctx, id)
    },
  }
}

/** A browser is for the person who showed who they are, not for what their tokens were made for. */
function refuseToken({ tokenName }: Pick<CallContext, 'tokenName'>): void {
  if (tokenName !== undefined) throw new AppError('auth.not_by_token')
}

async function* once(bytes: Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  if (bytes) yield bytes
}
