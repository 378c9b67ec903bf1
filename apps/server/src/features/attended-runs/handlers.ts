import { sql } from 'drizzle-orm'
import type { attendedRuns } from '@weft/contract/attended-runs/api'
import type { Engine } from '../../engine/engine.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Implementation } from '../../kit/implement.ts'
import { requireProof } from '../access/proof.ts'
import type { FrameWaits } from './frames.ts'
import { liveHandlers, tellOf } from './live.ts'
import { openAttended } from './open.ts'
import { queue } from './queue.ts'
import { findAttended, present } from './view.ts'

const DESK = { of: 'desk' } as const

/**
 * The calls of the sign-in desk. A browser that is signed in is worth as much as the account's password, so whoever wants to
 * have it in hand, or look on, shows first who they are.
 */
export function attendedRunHandlers(
  engine: Engine,
  frames: FrameWaits,
  now: () => Date,
): Implementation<typeof attendedRuns> {
  const again = async (ctx: CallContext, id: string) =>
    present(await findAttended(ctx, id, DESK), ctx.user.id)

  return {
    ...liveHandlers(engine, frames, 'desk'),

    queue: (ctx, input) => queue(ctx, input),

    async open(ctx, input) {
      await requireProof(ctx, now())
      if (!(await engine.isOpen())) throw new AppError('system.maintenance')
      const offer = await openAttended(ctx, input, engine.params)
      const made = await findAttended(ctx, offer.runId, DESK)
      ctx.audit({
        feature: 'attendedRuns',
        recordId: offer.runId,
        after: { account: made.account, profile: made.profile, client: made.client },
      })
      tellOf(ctx, made)
      ctx.afterCommit(() => engine.deliver(offer.clientId, engine.offerCommand(offer)))
      return present(made, ctx.user.id)
    },

    async watch(ctx, { id }) {
      await requireProof(ctx, now())
      const found = await findAttended(ctx, id, { ...DESK, lock: true })
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
      const found = await findAttended(ctx, id, { ...DESK, lock: true })
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
      tellOf(ctx, found)
      return again(ctx, id)
    },
  }
}
