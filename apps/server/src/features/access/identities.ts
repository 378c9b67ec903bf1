import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { SignedInUser, Tx } from '../../kit/context.ts'
import type { Db } from '../../db/connection.ts'
import type { Identities, Identity } from '../../kit/deps.ts'
import { findByApiToken, looksLikeApiToken } from './api-tokens/find.ts'
import { isActive, isOpen } from './conditions.ts'
import { MEMBERSHIP, readLine, readLines, rulesInLine, type Member } from './line.ts'
import { accessToken, appUser, session } from './table.ts'
import { hashToken } from './tokens.ts'
import { iso } from '../../kit/record.ts'
import { viewOfSession } from '../viewing/find.ts'
import { sessionView } from '../viewing/table.ts'

/** The channel on which every process hears that some session, person or role changed. */
export const IDENTITY_CHANNEL = 'weft_identity'
const HELD_MS = 5_000
const HELD_MAX = 10_000

/** Tells every process, once this transaction is committed, that what it knows of people may be out of date. */
export async function notifyIdentityChange(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_notify(${IDENTITY_CHANNEL}, '')`)
}

/** A person with roles and rules, as calls know them. */
export async function loadUser(tx: Tx, userId: string): Promise<SignedInUser | null> {
  return signedInOf(await readLine(tx, userId))
}

/** Several people at once, by their ids, in one query; who may not sign in is left out. */
export async function loadUsers(tx: Tx, userIds: readonly string[]): Promise<Map<string, SignedInUser>> {
  const people = new Map<string, SignedInUser>()
  for (const [id, line] of await readLines(tx, userIds)) {
    const user = signedInOf(line)
    if (user) people.set(id, user)
  }
  return people
}

function signedInOf(line: readonly Member[]): SignedInUser | null {
  const [user] = line
  if (!user?.active) return null
  return {
    id: user.id,
    username: user.username,
    displayName: user.displayName,
    roles: user.roles.flatMap(({ key }) => (key.startsWith(MEMBERSHIP) ? [] : [key])),
    rules: rulesInLine(line),
  }
}

/** Who a session is for at this moment: its own person, or the one as whom they look on. */
export async function personOf(
  tx: Tx,
  { id: sessionId, userId }: { id: string; userId: string },
  now: Date,
): Promise<Pick<Identity, 'user' | 'viewer'> | null> {
  const own = await loadUser(tx, userId)
  const view = own ? await viewOfSession(tx, { sessionId, own, now }, loadUser) : null
  if (!own || !view) return own && { user: own }
  const viewer = { id: own.id, username: own.username, reason: view.reason, until: iso(view.endsAt) }
  return { user: view.user, viewer }
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
    const person = found ? await personOf(this.#db, found.session, now) : null
    if (!found || !person) return null
    const { user, viewer } = person
    const ends = viewer ? Date.parse(viewer.until) : Infinity
    return {
      user,
      viewer,
      sessionId: found.session.id,
      expiresAt: Math.min(found.expiresAt.getTime(), ends),
    }
  }

  /** Those of the sessions that are still open, and whom each is for now. */
  async openAmong(sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (sessionIds.length === 0) return new Map()
    const now = this.#now()
    const rows = await this.#db
      .select({ id: session.id, own: session.userId, seenAs: sessionView.userId })
      .from(session)
      .innerJoin(appUser, eq(appUser.id, session.userId))
      .leftJoin(sessionView, and(eq(sessionView.sessionId, session.id), gt(sessionView.endsAt, now)))
      .where(and(inArray(session.id, [...sessionIds]), isOpen(now), isActive()))
    return new Map(rows.map((row) => [row.id, row.seenAs ?? row.own]))
  }
}
