import { eq, ne, and } from 'drizzle-orm'
import type { users } from '@weft/contract/users/api'
import type { Person } from '@weft/contract/users/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord, iso, madeBy, newId, updateRecord } from '../../kit/record.ts'
import { listSource, viewOf } from '../../kit/resource/view.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { nameKey } from '../access/first-administrator.ts'
import { notifyIdentityChange } from '../access/identities.ts'
import { requireProof } from '../access/proof.ts'
import { resetUrl } from '../access/recovery/forgotten.ts'
import { makeLink } from '../access/recovery/links.ts'
import { endSessions } from '../access/sessions.ts'
import { appUser, session, type UserRow } from '../access/table.ts'
import { givableRoles, keepAdministrator, oneAtATime, requireOver, setRoles } from '../access/authority.ts'
import { personRecord } from './record.ts'

const INVITATION_MINUTES = 3 * 24 * 60
const source = sourceOf(personRecord)

/** Looking after other people. */
export function peopleHandlers(
  deps: Deps,
): Pick<
  Implementation<typeof users>,
  'list' | 'subusers' | 'get' | 'create' | 'update' | 'suspend' | 'activate'
> {
  const { now, settings } = deps

  /** Everybody's next call is looked up anew, in every process. */
  const forgetIdentities = async (ctx: CallContext) => {
    await notifyIdentityChange(ctx.tx)
    ctx.afterCommit(() => deps.identities.forget())
  }

  /** Turns a person's status, seen by all and written down. */
  const turn = async (ctx: CallContext, row: UserRow, status: UserRow['status']): Promise<Person> => {
    if (row.status === status) throw new AppError('record.wrong_state', { state: status })
    const at = { id: row.id, version: row.version }
    await updateRecord(ctx.tx, appUser, at, { status }, () => viewOf(ctx, personRecord, row.id))
    await forgetIdentities(ctx)
    ctx.audit({
      feature: 'users',
      recordId: row.id,
      before: { status: row.status },
      after: { status },
    })
    ctx.event({ feature: 'users', id: row.id, kind: 'updated', ownerId: row.ownerId })
    return viewOf(ctx, personRecord, row.id)
  }

  return {
    list: (ctx, input) => listOf(ctx.tx, input, listSource(ctx, personRecord, input)),

    subusers(ctx, input) {
      const where = and(eq(appUser.ownerId, ctx.user.id), ne(appUser.id, ctx.user.id))
      return listOf(ctx.tx, input, listSource(ctx, personRecord, input, { where }))
    },

    async get(ctx, { id }) {
      await findRecord(ctx, source, id)
      return viewOf(ctx, personRecord, id)
    },

    async create(ctx, input) {
      await requireProof(ctx, now())
      const id = newId()
      const row = {
        id,
        ...madeBy(ctx),
        username: input.username,
        usernameKey: nameKey(input.username),
        email: input.email ?? null,
        emailKey: input.email === undefined ? null : nameKey(input.email),
        displayName: input.displayName ?? input.username,
        locale: input.locale ?? 'en',
        timeZone: input.timeZone ?? null,
        status: 'active' as const,
      }
      if (!ctx.can('CREATE', 'USER', row)) throw new AppError('access.denied')
      await oneAtATime(ctx.tx)
      const roleIds = await givableRoles(ctx, input.roles)
      await ctx.tx.insert(appUser).values(row)
      await setRoles(ctx.tx, id, roleIds)
      const invitation = { userId: id, by: ctx.user.id, now: now(), minutes: INVITATION_MINUTES }
      const { token, expiresAt } = await makeLink(ctx.tx, { ...invitation, purpose: 'resetPassword' })
      const user = await viewOf(ctx, personRecord, id)
      ctx.audit({ feature: 'users', recordId: id, after: user })
      ctx.event({ feature: 'users', id, kind: 'created', ownerId: row.ownerId })
      return { user, link: { url: resetUrl(settings.publicUrl, token), expiresAt: iso(expiresAt) } }
    },

    async update(ctx, { id, version, roles, ...changes }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, source, id, 'UPDATE', { lock: true })
      for (const field of Object.keys({ ...changes, ...(roles ? { roles } : {}) }))
        if (!ctx.can('UPDATE', 'USER', row, field)) throw new AppError('access.denied')
      await requireOver(ctx, id)
      if (roles !== undefined || changes.email !== undefined) await requireProof(ctx, now())
      const before = await viewOf(ctx, personRecord, id)
      const { email } = changes
      const emailKey =
        typeof email === 'string' ? { emailKey: nameKey(email) } : email === null ? { emailKey: null } : {}
      await updateRecord(ctx.tx, appUser, { id, version }, { ...changes, ...emailKey }, () => before)
      if (roles !== undefined) {
        await setRoles(ctx.tx, id, await givableRoles(ctx, roles))
        await keepAdministrator(ctx.tx)
      }
      await forgetIdentities(ctx)
      const after = await viewOf(ctx, personRecord, id)
      ctx.audit({ feature: 'users', recordId: id, before, after })
      ctx.event({ feature: 'users', id, kind: 'updated', ownerId: row.ownerId })
      return after
    },

    async suspend(ctx, { id }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, source, id, 'MANAGE', { lock: true })
      if (id === ctx.user.id) throw new AppError('user.not_yourself')
      await requireOver(ctx, id)
      const answer = await turn(ctx, row, 'suspended')
      await keepAdministrator(ctx.tx)
      await endSessions(ctx.tx, eq(session.userId, id), 'suspended')
      return answer
    },

    async activate(ctx, { id }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, source, id, 'MANAGE', { lock: true })
      await requireOver(ctx, id)
      return turn(ctx, row, 'active')
    },
  }
}
