import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Action, Subject } from '@weft/contract/core/permissions'
import { decisionsFor } from '../../kit/access.ts'
import type { Tx } from '../../kit/context.ts'
import { isActive } from '../access/conditions.ts'
import { loadUser } from '../access/identities.ts'
import { rulesOf } from '../access/line.ts'
import { appUser, role, userRole, type UserRow } from '../access/table.ts'

/** Somebody who can give a right. */
export interface Giver {
  id: string
  name: string
}

const MOST = 50

/** Those who hold a right themselves and may change the roles of this person: at most fifty, by name. */
export async function giversOf(
  tx: Tx,
  person: Pick<UserRow, 'id' | 'ownerId'>,
  right: { action: Action; subject: Subject },
): Promise<Giver[]> {
  const roles = await tx.select().from(role).where(isNull(role.deletedAt))
  const managing = roles
    .filter((one) => decisionsFor(rulesOf([one]), null).can('UPDATE', 'USER'))
    .map(({ id }) => id)
  if (managing.length === 0) return []
  const people = await tx
    .selectDistinct({ id: appUser.id, name: appUser.displayName })
    .from(appUser)
    .innerJoin(userRole, eq(userRole.userId, appUser.id))
    .where(and(inArray(userRole.roleId, managing), isActive()))
    .orderBy(appUser.displayName, appUser.id)
    .limit(MOST)
  const givers: Giver[] = []
  for (const candidate of people) {
    const user = candidate.id === person.id ? null : await loadUser(tx, candidate.id)
    if (!user) continue
    const { can } = decisionsFor(user.rules, user.id)
    if (can('UPDATE', 'USER', person, 'roles') && can(right.action, right.subject)) givers.push(candidate)
  }
  return givers
}
