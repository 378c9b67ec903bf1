import { and, eq, isNull } from 'drizzle-orm'
import { BUILT_IN_ROLES } from '@weft/contract/core/permissions'
import type { users } from '@weft/contract/users/api'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { requireRoom } from '../../kit/quota.ts'
import { findRecord, restoreRecords, trashRecords } from '../../kit/record.ts'
import { apiToken } from '../access/api-tokens/table.ts'
import { keepAdministrator, oneAtATime, requireOver } from '../access/authority.ts'
import { readLine, rulesInLine } from '../access/line.ts'
import { USERS } from '../access/people.ts'
import { requireProof } from '../access/proof.ts'
import { endSessions } from '../access/sessions.ts'
import { appUser, session, type UserRow } from '../access/table.ts'
import { isBeyond } from '../access/within.ts'
import { moveBelongings, needingOwner, ownedBy, type OwnedCount } from './belongings.ts'
import { forgetIdentities, personView } from './people.ts'

/** People who go, and what becomes of what they own. */
export function leavingHandlers(
  deps: Deps,
): Pick<Implementation<typeof users>, 'remove' | 'restore' | 'transfer'> {
  const { now } = deps

  return {
    async remove(ctx, { id, userId }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, USERS, id, 'DELETE', { lock: true })
      if (id === ctx.user.id) throw new AppError('user.not_yourself')
      await requireOver(ctx, id)
      await requireProof(ctx, now())
      const moved = userId === undefined ? await requireNothing(ctx, id) : await moveAll(ctx, row, userId)
      await trashRecords(ctx.tx, appUser, eq(appUser.id, id))
      await keepAdministrator(ctx.tx)
      await endSessions(ctx.tx, eq(session.userId, id), 'deleted')
      // Who comes back signs in again, and their programs get new tokens.
      await ctx.tx.delete(apiToken).where(eq(apiToken.userId, id))
      await forgetIdentities(deps, ctx)
      const after = { deleted: true, ...(userId === undefined ? {} : { userId, moved }) }
      ctx.audit({ feature: 'users', recordId: id, before: { deleted: false }, after })
      ctx.event({ feature: 'users', id, kind: 'deleted', ownerId: row.ownerId })
      return { moved }
    },

    async restore(ctx, { id }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, USERS, id, 'DELETE', { trashed: true, lock: true })
      await requireOver(ctx, id)
      await requireProof(ctx, now())
      // Nobody counts for themselves.
      if (row.ownerId !== null && row.ownerId !== id) await requireRoom(ctx.tx, row.ownerId, 'users')
      await restoreRecords(ctx.tx, appUser, eq(appUser.id, id))
      await forgetIdentities(deps, ctx)
      ctx.audit({ feature: 'users', recordId: id, before: { deleted: true }, after: { deleted: false } })
      ctx.event({ feature: 'users', id, kind: 'created', ownerId: row.ownerId })
      return personView(ctx, id)
    },

    async transfer(ctx, { id, userId }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, USERS, id, 'MANAGE', { lock: true })
      await requireOver(ctx, id)
      await requireProof(ctx, now())
      const moved = await moveAll(ctx, row, userId)
      await forgetIdentities(deps, ctx)
      ctx.audit({ feature: 'users', recordId: id, after: { userId, moved } })
      ctx.event({ feature: 'users', id, kind: 'updated', ownerId: row.ownerId })
      return { moved }
    },
  }
}

async function requireNothing(ctx: CallContext, id: string): Promise<OwnedCount[]> {
  const count = needingOwner(await ownedBy(ctx.tx, id))
  if (count > 0) throw new AppError('user.owns_records', { count })
  return []
}

/** Gives what one person owns to another, over whom the caller must stand too: nobody gains more than the caller holds. */
async function moveAll(ctx: CallContext, from: UserRow, userId: string): Promise<OwnedCount[]> {
  if (userId === from.id) throw wrongSuccessor('user.to_oneself')
  const [successor] = await ctx.tx
    .select({ id: appUser.id })
    .from(appUser)
    .where(
      and(
        eq(appUser.id, userId),
        eq(appUser.status, 'active'),
        isNull(appUser.deletedAt),
        ctx.scope('VIEW', 'USER', USERS.columns),
      ),
    )
  if (!successor) throw wrongSuccessor('link.not_found')
  if (userId !== ctx.user.id) await requireOver(ctx, userId)
  const line = await readLine(ctx.tx, userId)
  const isBelow = line.some(({ id }) => id === from.id)
  const standsAlone = !isBeyond(BUILT_IN_ROLES.administrator, rulesInLine(line))
  const above = isBelow ? from.parentId : standsAlone ? null : userId
  return moveBelongings(ctx, from.id, { id: userId, above })
}

function wrongSuccessor(code: 'user.to_oneself' | 'link.not_found'): AppError {
  const params = { field: 'userId' }
  return new AppError(code, params, { errors: [{ path: 'userId', code, message: 'Name another', params }] })
}
