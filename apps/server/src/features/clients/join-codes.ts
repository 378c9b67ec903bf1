import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { OpenJoinCode } from '@weft/contract/clients/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { iso } from '../../kit/record.ts'
import { joinCode } from './table.ts'

const good = (ownerId: string, now: Date) =>
  and(eq(joinCode.ownerId, ownerId), isNull(joinCode.usedAt), gt(joinCode.expiresAt, now))

/** Codes of this person's with which a machine may still join; the newest first. */
export async function openJoinCodes(tx: Tx, ownerId: string, now: Date): Promise<OpenJoinCode[]> {
  const rows = await tx
    .select()
    .from(joinCode)
    .where(good(ownerId, now))
    .orderBy(desc(joinCode.createdAt))
    .limit(100)
  return rows.map(({ id, labels, maxSlots, createdAt, expiresAt }) => ({
    id,
    labels,
    maxSlots,
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
  }))
}

/** Ends a code before its time; one of somebody else's, or that is over, is as good as none. */
export async function revokeJoinCode(ctx: CallContext, id: string, now: Date): Promise<void> {
  const [ended] = await ctx.tx
    .update(joinCode)
    .set({ expiresAt: now })
    .where(and(eq(joinCode.id, id), good(ctx.user.id, now)))
    .returning({ id: joinCode.id })
  if (!ended) throw new AppError('record.not_found')
  ctx.audit({ feature: 'clients', recordId: id, after: { ended: true } })
}
