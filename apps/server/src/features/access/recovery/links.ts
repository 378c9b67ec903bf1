import { and, eq, isNull } from 'drizzle-orm'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import { isActive } from '../conditions.ts'
import { appUser, type UserRow } from '../table.ts'
import { hashToken, newToken } from '../tokens.ts'
import { oneTimeLink, type LINK_PURPOSES } from './table.ts'

type Purpose = (typeof LINK_PURPOSES)[number]

/** A link that was just made: the secret in it, and until when it is good. */
export interface NewLink {
  token: string
  expiresAt: Date
}

/** Makes a person's one link for a purpose; an earlier one that was not used is void. */
export async function makeLink(
  tx: Tx,
  made: { userId: string; purpose: Purpose; by: string | null; now: Date; minutes: number },
): Promise<NewLink> {
  const { userId, purpose, by, now } = made
  const token = newToken()
  const expiresAt = new Date(now.getTime() + made.minutes * 60_000)
  await tx
    .delete(oneTimeLink)
    .where(and(eq(oneTimeLink.userId, userId), eq(oneTimeLink.purpose, purpose), isNull(oneTimeLink.usedAt)))
  await tx
    .insert(oneTimeLink)
    .values({ hash: hashToken(token), userId, purpose, createdAt: now, createdBy: by, expiresAt })
  return { token, expiresAt }
}

/** The person whom a good link is for. A wrong, used or old one is refused, each with its code. */
export async function readLink(
  db: Tx,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<{ user: UserRow; expiresAt: Date }> {
  const [found] = await db
    .select({ link: oneTimeLink, user: appUser })
    .from(oneTimeLink)
    .innerJoin(appUser, eq(appUser.id, oneTimeLink.userId))
    .where(and(eq(oneTimeLink.hash, hashToken(token)), eq(oneTimeLink.purpose, purpose), isActive()))
  if (!found) throw new AppError('one_time.wrong')
  if (found.link.usedAt) throw new AppError('one_time.used')
  if (found.link.expiresAt <= now) throw new AppError('one_time.expired')
  return { user: found.user, expiresAt: found.link.expiresAt }
}

/** Uses a link up. Of two who come at once, one finds it used. */
export async function takeLink(tx: Tx, token: string, purpose: Purpose, now: Date): Promise<void> {
  await readLink(tx, token, purpose, now)
  const taken = await tx
    .update(oneTimeLink)
    .set({ usedAt: now })
    .where(and(eq(oneTimeLink.hash, hashToken(token)), isNull(oneTimeLink.usedAt)))
    .returning({ userId: oneTimeLink.userId })
  if (taken.length === 0) throw new AppError('one_time.used')
}
