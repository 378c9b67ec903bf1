import { eq } from 'drizzle-orm'
import { QUOTA_KINDS, type Quota } from '@weft/contract/users/quota'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import { limitsOf } from '../../kit/quota.ts'
import { userQuota } from './table.ts'

/** Gives a person these limits and no others; none may be wider than the giver's own. */
export async function setQuota(
  ctx: Pick<CallContext, 'tx' | 'user'>,
  id: string,
  quota: Quota,
): Promise<void> {
  if (id === ctx.user.id) throw new AppError('user.not_yourself')
  const rows = QUOTA_KINDS.flatMap((kind) => {
    const maxCount = quota[kind]
    return maxCount === undefined ? [] : [{ userId: id, kind, maxCount }]
  })
  for (const { kind, maxCount } of rows) {
    const [own] = await limitsOf(ctx.tx, ctx.user.id, kind)
    if (!own || own.limit >= maxCount) continue
    const params = { what: kind, limit: own.limit }
    const code = 'quota.beyond_own'
    throw new AppError(code, params, {
      errors: [{ path: `quota.${kind}`, code, message: 'More than your own', params }],
    })
  }
  await ctx.tx.delete(userQuota).where(eq(userQuota.userId, id))
  if (rows.length > 0) await ctx.tx.insert(userQuota).values(rows)
}
