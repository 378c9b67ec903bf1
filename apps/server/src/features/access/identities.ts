import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { BUILT_IN_ROLES, type Rule } from '@weft/contract/core/permissions'
import type { SignedInUser, Tx } from '../../kit/context.ts'
import type { Db } from '../../db/connection.ts'
import type { Identities, Identity } from '../../kit/deps.ts'
import { findByApiToken, looksLikeApiToken } from './api-tokens/find.ts'
import { isActive, isOpen } from './conditions.ts'
import { accessToken, appUser, role, session, userRole } from './table.ts'
import { hashToken } from './tokens.ts'

/** The channel on which every process hears that some session, person or role changed. */
export const IDENTITY_CHANNEL = 'weft_identity'
const HELD_MS = 5_000
const HELD_MAX = 10_000

/** Tells every process, once this transaction is committed, that what it knows of people may be out of date. */
export async function notifyIdentityChange(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_notify(${IDENTITY_CHANNEL}, '')`)
}

/** The rules of roles, in the roles' order. A built-in role's come with the program. */
export function rulesOf(roles: readonly { key: string; builtIn: boolean; rules: Rule[] | null }[]): Rule[] {
  return roles.flatMap(({ key, builtIn, rules }) => {
    if (!builtIn) return rules ?? []
    return isBuiltIn(key) ? BUILT_IN_ROLES[key] : []
  })
}

function isBuiltIn(key: string): key is keyof typeof BUILT_IN_ROLES {
  return key in BUILT_IN_ROLES
}

/** A person with roles and rules, as calls know them. */
export async function loadUser(tx: Tx, userId: string): Promise<SignedInUser | null> {
  const [user] = await tx
    .select()
    .from(appUser)
    .where(and(eq(appUser.id, userId), isActive()))
  if (!user) return null
  const roles = await tx
    .select({ key: role.key, builtIn: role.builtIn, rules: role.rules })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(eq(userRole.userId, userId))
    .orderBy(role.key)
  return {
    id: user.id,
    username: user.username,
    displayName: user.displayName,
    roles: roles.map(({ key }) => key),
    rules: rulesOf(roles),
  }
}

/**
 * Finds people by their tokens and remembers them for five seconds; a notice makes it forget at once, so the end of a
 * session or a change of roles holds everywhere within moments.
 */
export class HeldIdentities implements Identities {
  readonly #db: Db
  readonly #now: () => Date
  readonly #held = new Map<string, { identity: Identity; until: number }>()
  #forgotten = 0

  constructor(db: Db, now: () => Date) {
    this.#db = db
    this.#now = now
  }

  /** Forgets everybody: the next call of each is looked up anew. */
  forget(): void {
    this.#forgotten += 1
    this.#held.clear()
  }

  async authenticate(token: string): Promise<Identity | null> {
    const hash = hashToken(token)
    const key = hash.toString('base64')
    const now = this.#now()
    const held = this.#held.get(key)
    if (held && held.until > now.getTime() && held.identity.expiresAt > now.getTime()) return held.identity
    const asOf = this.#forgotten
    const identity = looksLikeApiToken(token)
      ? await findByApiToken(this.#db, token, now, loadUser)
      : await this.#find(hash, now)
    if (!identity) return null
    // What was read before a notice came is not kept.
    if (asOf === this.#forgotten) {
      if (this.#held.size >= HELD_MAX) this.#held.clear()
      this.#held.set(key, { identity, until: now.getTime() + HELD_MS })
    }
    return identity
  }

  async #find(hash: Buffer, now: Date): Promise<Identity | null> {
    const [found] = await this.#db
      .select({ session, expiresAt: accessToken.expiresAt })
      .from(accessToken)
      .innerJoin(session, eq(session.id, accessToken.sessionId))
      .where(and(eq(accessToken.hash, hash), gt(accessToken.expiresAt, now), isOpen(now)))
    const user = found ? await loadUser(this.#db, found.session.userId) : null
    return found && user ? { user, sessionId: found.session.id, expiresAt: found.expiresAt.getTime() } : null
  }

  /** Those of the sessions that are still open. */
  async openAmong(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (sessionIds.length === 0) return new Set()
    const rows = await this.#db
      .select({ id: session.id })
      .from(session)
      .innerJoin(appUser, eq(appUser.id, session.userId))
      .where(and(inArray(session.id, [...sessionIds]), isOpen(this.#now()), isActive()))
    return new Set(rows.map((row) => row.id))
  }
}
