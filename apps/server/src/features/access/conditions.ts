import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import { appUser, session } from './table.ts'

/** A session that is neither ended nor over. */
export function isOpen(now: Date): SQL | undefined {
  return and(isNull(session.endedAt), gt(session.expiresAt, now), gt(session.idleUntil, now))
}

/** A person who may sign in. */
export function isActive(): SQL | undefined {
  return and(eq(appUser.status, 'active'), isNull(appUser.deletedAt))
}
