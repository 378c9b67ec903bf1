import { and, eq, gt } from 'drizzle-orm'
import type { SignedInUser, Tx } from '../../kit/context.ts'
import { isBeyond } from '../access/within.ts'
import { sessionView } from './table.ts'

/** As whom a session looks on, why, and until when. */
export interface View {
  user: SignedInUser
  reason: string
  endsAt: Date
}

/**
 * As whom a session looks on, if it does. Never as somebody who may do what its own person may not: roles that were given
 * or taken meanwhile end it.
 */
export async function viewOfSession(
  tx: Tx,
  of: { sessionId: string; own: SignedInUser; now: Date },
  load: (tx: Tx, userId: string) => Promise<SignedInUser | null>,
): Promise<View | null> {
  const [row] = await tx
    .select()
    .from(sessionView)
    .where(and(eq(sessionView.sessionId, of.sessionId), gt(sessionView.endsAt, of.now)))
  const user = row ? await load(tx, row.userId) : null
  if (!row || !user || isBeyond(user.rules, of.own.rules)) return null
  return { user, reason: row.reason, endsAt: row.endsAt }
}
