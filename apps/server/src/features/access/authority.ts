import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import { notify } from '../notifications/notify.ts'
import { rulesOf } from './line.ts'
import { role, userRole } from './table.ts'
import { isBeyond } from './within.ts'

const LOCK = 7_263_004

/** Lets changes of who may what happen one after the other, so that no two together remove the last administrator. */
export async function oneAtATime(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
}

/** Refuses a change after which nobody who can sign in would be an administrator. Who was only invited does not count. */
export async function keepAdministrator(tx: Tx): Promise<void> {
  const { rows } = await tx.execute(sql`
    select 1 from app_user u join user_role ur on ur.user_id = u.id join role r on r.id = ur.role_id
    where r.key = 'administrator' and u.status = 'active' and u.deleted_at is null
      and (u.password_hash is not null or exists (select 1 from session s where s.user_id = u.id)) limit 1`)
  if (rows.length === 0) throw new AppError('user.last_administrator')
}

/** Refuses to act on somebody who may do what the caller may not. */
export async function requireOver(ctx: Pick<CallContext, 'tx' | 'user'>, userId: string): Promise<void> {
  const roles = await ctx.tx
    .select({ key: role.key, builtIn: role.builtIn, rules: role.rules })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(eq(userRole.userId, userId))
  if (isBeyond(rulesOf(roles), ctx.user.rules)) throw new AppError('user.beyond_own')
}

/** The ids of roles that the caller may give: roles that are there, and allow nothing that the caller may not do. */
export async function givableRoles(
  ctx: Pick<CallContext, 'tx' | 'user'>,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return []
  const found = await ctx.tx
    .select({ id: role.id, key: role.key, builtIn: role.builtIn, rules: role.rules })
    .from(role)
    .where(and(inArray(role.key, [...keys]), isNull(role.deletedAt)))
  const params = { field: 'roles' }
  if (found.length < keys.length)
    throw new AppError('link.not_found', params, {
      errors: [{ path: 'roles', code: 'link.not_found', message: 'Not found', params }],
    })
  const beyond = found.find((one) => isBeyond(rulesOf([one]), ctx.user.rules))
  if (beyond) throw new AppError('user.role_beyond_own', { role: beyond.key })
  return found.map(({ id }) => id)
}

/** Gives a person these roles and no others. */
export async function setRoles(
  tx: Tx,
  userId: string,
  roleIds: readonly string[],
  by?: string,
): Promise<void> {
  const before = await rolesOf(tx, userId)
  await tx.delete(userRole).where(eq(userRole.userId, userId))
  if (roleIds.length > 0) await tx.insert(userRole).values(roleIds.map((roleId) => ({ userId, roleId })))
  const after = await rolesOf(tx, userId)
  // Without a giver it is an invitation, of which the person is told otherwise.
  if (by !== undefined && before !== after)
    await notify(tx, userId, { kind: 'role.changed', params: { by, roles: after } })
}

/** The names of somebody's roles, in order, as they are told them. */
async function rolesOf(tx: Tx, userId: string): Promise<string> {
  const rows = await tx
    .select({ name: role.name })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(eq(userRole.userId, userId))
    .orderBy(role.name)
  return rows.map(({ name }) => name).join(', ')
}
