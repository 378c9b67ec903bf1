import { eq } from 'drizzle-orm'
import type { SignedIn, User, UserInfo } from '@weft/contract/access/schema'
import { AppError } from '../../kit/app-error.ts'
import { effectiveRules } from '../../kit/access.ts'
import type { Tx } from '../../kit/context.ts'
import type { Viewer } from '../../kit/deps.ts'
import { iso } from '../../kit/record.ts'
import { avatar } from './avatar/table.ts'
import { loadUser } from './identities.ts'
import type { Tokens } from './sessions.ts'
import { appUser, type UserRow } from './table.ts'

/** A person as the contract shows them. */
export function presentUser(row: UserRow, roles: readonly string[], picture: string | null): User {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    displayName: row.displayName,
    roles: [...roles],
    locale: row.locale,
    timeZone: row.timeZone,
    avatar: picture,
    status: row.status,
    createdAt: iso(row.createdAt),
  }
}

/** Who somebody is and what they may do, the conditions filled with their id. */
export async function userInfo(tx: Tx, userId: string, viewer?: Viewer): Promise<UserInfo> {
  const [found] = await tx
    .select({ row: appUser, picture: avatar.hash })
    .from(appUser)
    .leftJoin(avatar, eq(avatar.userId, appUser.id))
    .where(eq(appUser.id, userId))
  const user = await loadUser(tx, userId)
  if (!found || !user) throw new AppError('auth.ended')
  const viewing = viewer && { by: viewer.username, reason: viewer.reason, until: viewer.until }
  return {
    user: presentUser(found.row, user.roles, found.picture),
    abilities: effectiveRules(user.rules, user.id),
    ...(viewing ? { viewing } : {}),
  }
}

/** What signing in and refreshing answer with. */
export async function signedIn(tx: Tx, userId: string, tokens: Tokens, viewer?: Viewer): Promise<SignedIn> {
  return {
    ...(await userInfo(tx, userId, viewer)),
    token: tokens.access,
    expiresAt: iso(tokens.accessExpiresAt),
  }
}
