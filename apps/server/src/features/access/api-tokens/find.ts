import { and, eq, gt, isNull, lt, or } from 'drizzle-orm'
import type { Tx } from '../../../kit/context.ts'
import type { Identity } from '../../../kit/deps.ts'
import { hashToken, newToken } from '../tokens.ts'
import { narrowRules } from './narrow.ts'
import { apiToken } from './table.ts'
import type { SignedInUser } from '../../../kit/context.ts'

const PREFIX = 'weft_'
/** How exactly it is known when a token was last used: a busy one is not written at each call. */
const USE_NOTED_MS = 60_000

/** A new secret; its beginning says what it is, to people and to programs that look for leaked ones. */
export function newApiToken(): string {
  return PREFIX + newToken()
}

/** Whether a Bearer is an API token by its form. */
export function looksLikeApiToken(bearer: string): boolean {
  return bearer.startsWith(PREFIX)
}

/** Who calls by an API token: its person, with the part of their rules that the token has. */
export async function findByApiToken(
  db: Tx,
  bearer: string,
  now: Date,
  loadUser: (tx: Tx, userId: string) => Promise<SignedInUser | null>,
): Promise<Identity | null> {
  const [row] = await db
    .select()
    .from(apiToken)
    .where(and(eq(apiToken.hash, hashToken(bearer)), gt(apiToken.expiresAt, now)))
  const user = row ? await loadUser(db, row.userId) : null
  if (!row || !user) return null
  await db
    .update(apiToken)
    .set({ lastUsedAt: now })
    .where(
      and(
        eq(apiToken.id, row.id),
        or(isNull(apiToken.lastUsedAt), lt(apiToken.lastUsedAt, new Date(now.getTime() - USE_NOTED_MS))),
      ),
    )
  return {
    user: { ...user, rules: narrowRules(user.rules, row.scopes) },
    sessionId: row.id,
    expiresAt: row.expiresAt.getTime(),
    tokenName: row.name,
  }
}
