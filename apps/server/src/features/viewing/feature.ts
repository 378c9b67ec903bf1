import { eq } from 'drizzle-orm'
import { viewing } from '@weft/contract/viewing/api'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Feature } from '../../kit/feature.ts'
import { implement } from '../../kit/implement.ts'
import { findRecord, iso } from '../../kit/record.ts'
import { requireOver } from '../access/authority.ts'
import { notifyIdentityChange } from '../access/identities.ts'
import { USERS } from '../access/people.ts'
import { requireProof } from '../access/proof.ts'
import { notify } from '../notifications/notify.ts'
import { sessionView } from './table.ts'

const VIEW_MS = 30 * 60_000

/** Looking on as somebody else: to see what they see, without touching anything of theirs. */
export const viewingFeature: Feature = {
  name: 'viewing',
  mount(app) {
    const { deps } = app
    /** Who the session is for is looked up anew, in every process. */
    const forget = async (ctx: CallContext) => {
      await notifyIdentityChange(ctx.tx)
      ctx.afterCommit(() => deps.identities.forget())
    }
    implement(app, viewing, {
      async start(ctx, { id, reason }) {
        const person = await findRecord(ctx, USERS, id, 'MANAGE')
        if (id === ctx.user.id) throw new AppError('user.not_yourself')
        if (ctx.tokenName !== undefined) throw new AppError('auth.not_by_token')
        if (person.status !== 'active') throw new AppError('record.wrong_state', { state: person.status })
        await requireOver(ctx, id)
        const startedAt = deps.now()
        await requireProof(ctx, startedAt)
        const endsAt = new Date(startedAt.getTime() + VIEW_MS)
        const row = { userId: id, reason, startedAt, endsAt }
        await ctx.tx
          .insert(sessionView)
          .values({ sessionId: ctx.sessionId, ...row })
          .onConflictDoUpdate({ target: sessionView.sessionId, set: row })
        await forget(ctx)
        await notify(ctx.tx, id, {
          kind: 'viewing.started',
          params: { by: ctx.user.username, reason },
          group: ctx.user.id,
        })
        ctx.audit({ feature: 'users', recordId: id, after: { as: person.username, reason, until: endsAt } })
        return { until: iso(endsAt) }
      },

      async stop(ctx) {
        const [ended] = await ctx.tx
          .delete(sessionView)
          .where(eq(sessionView.sessionId, ctx.sessionId))
          .returning({ userId: sessionView.userId, reason: sessionView.reason })
        if (!ended) return { stopped: false }
        await forget(ctx)
        ctx.audit({ feature: 'users', recordId: ended.userId, before: { reason: ended.reason } })
        return { stopped: true }
      },
    })
  },
}
