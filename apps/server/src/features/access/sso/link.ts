import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { username as usernameSchema } from '@weft/contract/access/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx, Work } from '../../../kit/context.ts'
import { newId } from '../../../kit/id.ts'
import { oneAtATime } from '../authority.ts'
import { readSettings } from '../../system/settings.ts'
import { nameKey } from '../first-administrator.ts'
import { refuseNamesakes } from '../names.ts'
import { appUser, role, userRole, type UserRow } from '../table.ts'
import type { Claims } from './provider.ts'
import { ssoIdentity, type ProviderRow } from './table.ts'

/**
 * Who somebody from a provider is here. Known by the provider's subject; at the first time by an address that the provider
 * has verified; else, where the provider's settings say so, somebody new with its role.
 */
export async function personFor(
  work: Work,
  provider: ProviderRow,
  claims: Claims,
  now: Date,
): Promise<UserRow> {
  const { tx } = work
  // Two first sign-ins of one person at once come one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`sso:${provider.id}:${claims.sub}`}))`)
  const known = await byIdentity(tx, provider.id, claims.sub)
  if (known) {
    await tx
      .update(ssoIdentity)
      .set({ lastUsedAt: now })
      .where(and(eq(ssoIdentity.providerId, provider.id), eq(ssoIdentity.subject, claims.sub)))
    return mayEnter(known)
  }
  if (claims.email === undefined || !claims.email_verified) throw new AppError('sso.email_unverified')
  const namesake = await byEmail(tx, claims.email)
  const user = namesake ? mayEnter(namesake) : await signUp(work, provider, claims, claims.email)
  const linked = await tx
    .insert(ssoIdentity)
    .values({
      providerId: provider.id,
      subject: claims.sub,
      userId: user.id,
      createdAt: now,
      lastUsedAt: now,
    })
    .onConflictDoNothing()
    .returning({ userId: ssoIdentity.userId })
  // The address is somebody else's now at the provider: whoever was linked by it stays who they are.
  if (linked.length === 0) throw new AppError('sso.no_account')
  work.audit({ feature: 'users', recordId: user.id, label: 'sso.link', after: { provider: provider.key } })
  return user
}

async function byIdentity(tx: Tx, providerId: string, subject: string): Promise<UserRow | undefined> {
  const [found] = await tx
    .select({ user: appUser })
    .from(ssoIdentity)
    .innerJoin(appUser, eq(appUser.id, ssoIdentity.userId))
    .where(and(eq(ssoIdentity.providerId, providerId), eq(ssoIdentity.subject, subject)))
  return found?.user
}

async function byEmail(tx: Tx, email: string): Promise<UserRow | undefined> {
  const [user] = await tx
    .select()
    .from(appUser)
    .where(eq(appUser.emailKey, nameKey(email)))
  return user
}

function mayEnter(user: UserRow): UserRow {
  if (user.status !== 'active' || user.deletedAt) throw new AppError('sso.suspended')
  return user
}

/** Makes somebody new, without a password. */
async function signUp(work: Work, provider: ProviderRow, claims: Claims, email: string): Promise<UserRow> {
  const { tx } = work
  const [given] = await tx
    .select({ id: role.id })
    .from(role)
    .where(and(eq(role.key, provider.roleKey), isNull(role.deletedAt)))
  if (!provider.signUp || !given) throw new AppError('sso.no_account')
  const id = newId()
  const { defaultLanguage: locale, defaultTimeZone: timeZone } = await readSettings(tx)
  await oneAtATime(tx)
  await refuseAddress(tx, id, email)
  const username = await freeName(tx, [claims.preferred_username, email, `${provider.key}-${id}`])
  const [user] = await tx
    .insert(appUser)
    .values({
      id,
      ownerId: id,
      createdBy: id,
      username,
      usernameKey: nameKey(username),
      email,
      emailKey: nameKey(email),
      displayName: claims.name ?? username,
      locale,
      timeZone,
    })
    .returning()
  if (!user) throw new Error('the person was not stored')
  await tx.insert(userRole).values({ userId: id, roleId: given.id })
  work.audit({ feature: 'users', recordId: id, label: 'sso.sign_up', after: { username, email } })
  work.event({ feature: 'users', id, kind: 'created', ownerId: id })
  return user
}

/** The first of the names that is one and that nobody has, as a name or as an address. */
async function freeName(tx: Tx, names: readonly (string | undefined)[]): Promise<string> {
  for (const name of names) {
    const parsed = usernameSchema.safeParse(name)
    if (!parsed.success) continue
    const key = nameKey(parsed.data)
    const [taken] = await tx
      .select({ id: appUser.id })
      .from(appUser)
      .where(or(eq(appUser.usernameKey, key), eq(appUser.emailKey, key)))
    if (!taken) return parsed.data
  }
  throw new AppError('sso.no_account')
}

/** An address that is somebody else's name here would sign in as two people. */
async function refuseAddress(tx: Tx, id: string, email: string): Promise<void> {
  try {
    await refuseNamesakes(tx, { id, email })
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw new AppError('sso.no_account', {}, { cause })
  }
}
