import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '../../kit/context.ts'
import { newId } from '../../kit/id.ts'
import { readSettings } from '../system/settings.ts'
import { notifyIdentityChange } from './identities.ts'
import { isActive, isOpen } from './conditions.ts'
import { accessToken, appUser, refreshToken, session, type SessionRow } from './table.ts'
import { hashToken, newToken } from './tokens.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const ACCESS_TOKEN_MS = 15 * MINUTE
/** Two tabs that refresh at the same moment both hold the token that one of them just used up. */
export const REUSE_GRACE_MS = 10_000

/** How long a session lives without being used, and at most. */
async function lifeOf(tx: Tx, remembered: boolean): Promise<{ idleMs: number; wholeMs: number }> {
  const { sessionIdleMinutes, sessionHours, rememberedDays } = await readSettings(tx)
  if (remembered) return { idleMs: rememberedDays * DAY, wholeMs: rememberedDays * DAY }
  return { idleMs: sessionIdleMinutes * MINUTE, wholeMs: sessionHours * HOUR }
}

/** What a browser gets for a session: a short token for calls and a long one for the cookie. */
export interface Tokens {
  access: string
  accessExpiresAt: Date
  refresh: string
  /** When the cookie ends; undefined: with the browser. */
  cookieUntil: Date | undefined
}

/** Begins a session. */
export async function openSession(
  tx: Tx,
  at: { userId: string; remembered: boolean; userAgent: string; address: string; now: Date },
): Promise<Tokens> {
  const { idleMs, wholeMs } = await lifeOf(tx, at.remembered)
  const row = {
    id: newId(),
    userId: at.userId,
    userAgent: at.userAgent.slice(0, 400),
    address: at.address,
    remembered: at.remembered,
    createdAt: at.now,
    lastUsedAt: at.now,
    confirmedAt: at.now,
    idleUntil: new Date(at.now.getTime() + idleMs),
    expiresAt: new Date(at.now.getTime() + wholeMs),
  }
  await tx.insert(session).values(row)
  return issueTokens(tx, row, at.now)
}

/** What a refresh token is worth. */
export type Refreshable =
  | { kind: 'good'; session: SessionRow; hash: Buffer }
  | { kind: 'reused'; session: SessionRow }
  | { kind: 'unknown' }

/** Looks a refresh token up. With `lock` its session is held, so that its uses come one after the other. */
export async function findRefreshable(
  tx: Tx,
  token: string | undefined,
  now: Date,
  lock: boolean,
): Promise<Refreshable> {
  if (!token) return { kind: 'unknown' }
  const query = tx
    .select({ session, token: refreshToken })
    .from(refreshToken)
    .innerJoin(session, eq(session.id, refreshToken.sessionId))
    .innerJoin(appUser, eq(appUser.id, session.userId))
    .where(and(eq(refreshToken.hash, hashToken(token)), isOpen(now), isActive()))
  const [found] = await (lock ? query.for('update', { of: session }) : query)
  if (!found) return { kind: 'unknown' }
  const { replacedAt } = found.token
  if (replacedAt && now.getTime() - replacedAt.getTime() > REUSE_GRACE_MS)
    return { kind: 'reused', session: found.session }
  return { kind: 'good', session: found.session, hash: found.token.hash }
}

/** Uses a refresh token up and gives new tokens; the session's idle time begins anew. */
export async function rotate(
  tx: Tx,
  found: Extract<Refreshable, { kind: 'good' }>,
  now: Date,
): Promise<Tokens> {
  const { idleMs } = await lifeOf(tx, found.session.remembered)
  const idleUntil = new Date(Math.min(now.getTime() + idleMs, found.session.expiresAt.getTime()))
  await tx
    .update(refreshToken)
    .set({ replacedAt: now })
    .where(and(eq(refreshToken.hash, found.hash), isNull(refreshToken.replacedAt)))
  await tx.update(session).set({ lastUsedAt: now, idleUntil }).where(eq(session.id, found.session.id))
  return issueTokens(tx, found.session, now)
}

async function issueTokens(
  tx: Tx,
  of: Pick<SessionRow, 'id' | 'expiresAt' | 'remembered'>,
  now: Date,
): Promise<Tokens> {
  const access = newToken()
  const refresh = newToken()
  const accessExpiresAt = new Date(Math.min(now.getTime() + ACCESS_TOKEN_MS, of.expiresAt.getTime()))
  await tx
    .insert(accessToken)
    .values({ hash: hashToken(access), sessionId: of.id, expiresAt: accessExpiresAt })
  await tx.insert(refreshToken).values({ hash: hashToken(refresh), sessionId: of.id, createdAt: now })
  return { access, accessExpiresAt, refresh, cookieUntil: of.remembered ? of.expiresAt : undefined }
}

/** Ends the open sessions that match, everywhere within moments. Gives their ids. */
export async function endSessions(tx: Tx, where: SQL | undefined, reason: string): Promise<string[]> {
  const ended = await tx
    .update(session)
    .set({ endedAt: sql`now()`, endReason: reason })
    .where(and(where, isNull(session.endedAt)))
    .returning({ id: session.id })
  if (ended.length > 0) await notifyIdentityChange(tx)
  return ended.map((row) => row.id)
}
