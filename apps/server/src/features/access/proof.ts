import { and, eq, gt } from 'drizzle-orm'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { session } from './table.ts'

/** How long it counts that somebody has shown who they are. */
export const PROOF_MS = 5 * 60_000

/** Refuses what matters to somebody who signed in, or proved themselves, longer ago than five minutes. */
export async function requireProof(ctx: Pick<CallContext, 'tx' | 'sessionId'>, now: Date): Promise<void> {
  const [fresh] = await ctx.tx
    .select({ id: session.id })
    .from(session)
    .where(and(eq(session.id, ctx.sessionId), gt(session.confirmedAt, new Date(now.getTime() - PROOF_MS))))
  if (!fresh) throw new AppError('auth.confirm_required')
}

/** Notes that the person of a session has shown who they are. */
export async function noteProof(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.update(session).set({ confirmedAt: now }).where(eq(session.id, sessionId))
}
