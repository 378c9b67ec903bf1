import type { Endpoint } from '@weft/contract/core/endpoint'
import type { functions } from '@weft/contract/roles/api'
import { AppError } from '../../kit/app-error.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { notifyIdentityChange } from '../access/identities.ts'
import { requireProof } from '../access/proof.ts'
import { functionState } from '../access/table.ts'
import { catalogueOf, isFixed } from './catalogue.ts'

/** Which functions there are at all. */
export function functionHandlers(
  deps: Deps,
  endpoints: readonly Endpoint[],
): Implementation<typeof functions> {
  return {
    list: (ctx) => catalogueOf(ctx.tx, endpoints),

    async update(ctx, { subject, enabled }) {
      await requireProof(ctx, deps.now())
      if (isFixed(subject) && !enabled) throw new AppError('function.fixed')
      const find = async () => {
        const entry = (await catalogueOf(ctx.tx, endpoints)).find((one) => one.subject === subject)
        if (!entry) throw new AppError('record.not_found')
        return entry
      }
      const before = await find()
      const values = { subject, enabled, updatedAt: deps.now(), updatedBy: ctx.user.id }
      await ctx.tx
        .insert(functionState)
        .values(values)
        .onConflictDoUpdate({ target: functionState.subject, set: values })
      await notifyIdentityChange(ctx.tx)
      ctx.afterCommit(() => deps.identities.forget())
      ctx.audit({
        feature: 'functions',
        recordId: subject,
        before: { enabled: before.enabled },
        after: { enabled },
      })
      ctx.event({ feature: 'roles', id: subject, kind: 'updated' })
      return find()
    },
  }
}
