import { and, eq, isNull, sql } from 'drizzle-orm'
import { BUILT_IN_ROLES } from '@weft/contract/core/permissions'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import { newId } from '../../kit/id.ts'
import { StartError } from '../../settings.ts'
import { isCommonPassword } from './password-rules.ts'
import { hashPassword } from './password.ts'
import { appUser, role, setupToken, userRole } from './table.ts'
import { hashToken, isToken, newToken } from './tokens.ts'

const LOCK = 7_263_002

/** Lower case, composed: two spellings of one name are one name. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

/** Makes sure that the built-in roles have rows to be given by. */
export async function ensureBuiltInRoles(db: Tx): Promise<void> {
  const rows = Object.keys(BUILT_IN_ROLES).map((key) => ({
    id: newId(),
    key,
    name: key.charAt(0).toUpperCase() + key.slice(1),
    builtIn: true,
  }))
  await db.insert(role).values(rows).onConflictDoNothing()
}

/** Whether nobody is an administrator yet. */
export async function needsSetUp(db: Tx): Promise<boolean> {
  const [found] = await db
    .select({ id: appUser.id })
    .from(appUser)
    .innerJoin(userRole, eq(userRole.userId, appUser.id))
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(and(eq(role.key, 'administrator'), isNull(appUser.deletedAt)))
    .limit(1)
  return found === undefined
}

/** Makes a new one-time secret for the set-up link; the one before is void. */
export async function renewSetupToken(db: Tx): Promise<string> {
  const token = newToken()
  const hash = hashToken(token)
  await db
    .insert(setupToken)
    .values({ id: 1, hash })
    .onConflictDoUpdate({ target: setupToken.id, set: { hash, createdAt: sql`now()` } })
  return token
}

/** Refuses a secret that is not the set-up link's. */
export async function checkSetupToken(tx: Tx, token: string): Promise<void> {
  if (!(await needsSetUp(tx))) throw new AppError('setup.done')
  const [kept] = await tx.select().from(setupToken)
  if (!kept || !isToken(token, kept.hash)) throw new AppError('setup.wrong_token')
}

export interface NewPerson {
  username: string
  displayName?: string | undefined
  email?: string | undefined
  passwordHash: string
}

/** Makes the first administrator, one at a time: the second to come finds it done. Gives the person's id. */
export async function makeFirstAdministrator(tx: Tx, person: NewPerson): Promise<string> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
  if (!(await needsSetUp(tx))) throw new AppError('setup.done')
  const id = await insertUser(tx, person, 'administrator')
  await tx.delete(setupToken)
  return id
}

/** Inserts a person with one role. */
export async function insertUser(
  tx: Tx,
  person: NewPerson,
  roleKey: keyof typeof BUILT_IN_ROLES,
): Promise<string> {
  const id = newId()
  await tx.insert(appUser).values({
    id,
    ownerId: id,
    createdBy: id,
    username: person.username,
    usernameKey: nameKey(person.username),
    email: person.email ?? null,
    emailKey: person.email === undefined ? null : nameKey(person.email),
    displayName: person.displayName ?? person.username,
    passwordHash: person.passwordHash,
  })
  await tx.insert(userRole).select(
    tx
      .select({ userId: sql`${id}::uuid`.as('user_id'), roleId: role.id })
      .from(role)
      .where(eq(role.key, roleKey)),
  )
  return id
}

/** Makes the administrator that the environment names, where there is none. */
export async function administratorFromSettings(
  db: Tx,
  given: { username: string; password: string },
): Promise<boolean> {
  if (!(await needsSetUp(db))) return false
  if (isCommonPassword(given.password, [given.username]))
    throw new StartError('Wrong setting: WEFT_ADMIN_PASSWORD: this password is among the most common ones.')
  const passwordHash = await hashPassword(given.password)
  await db.transaction((tx) => makeFirstAdministrator(tx, { username: given.username, passwordHash }))
  return true
}
