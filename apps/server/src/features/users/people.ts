import { eq, ne, and } from 'drizzle-orm'
import { BUILT_IN_ROLES } from '@weft/contract/core/permissions'
import { users } from '@weft/contract/users/api'
import type { Person } from '@weft/contract/users/schema'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { prepared, type Implementation } from '../../kit/implement.ts'
import { requireRoom } from '../../kit/quota.ts'
import { listOf } from '../../kit/list.ts'
import { findRecord, iso, madeBy, newId, updateRecord } from '../../kit/record.ts'
import { listSource, viewOf } from '../../kit/resource/view.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { nameKey } from '../access/first-administrator.ts'
import { writeMail } from '../access/mail/outbox.ts'
import { isBeyond } from '../access/within.ts'
import { notifyIdentityChange } from '../access/identities.ts'
import { refuseNamesakes } from '../access/names.ts'
import { requireProof } from '../access/proof.ts'
import { resetUrl } from '../access/recovery/forgotten.ts'
import { makeLink } from '../access/recovery/links.ts'
import { endSessions } from '../access/sessions.ts'
import { appUser, session, type UserRow } from '../access/table.ts'
import { givableRoles, keepAdministrator, oneAtATime, requireOver, setRoles } from '../access/authority.ts'
import { setQuota } from './quota.ts'
import { lookerOf, personRecord, personRecordFor } from './record.ts'

const INVITATION_DAYS = 3
const INVITATION_MINUTES = INVITATION_DAYS * 24 * 60
const source = sourceOf(personRecord)

/** Looking after other people. */
export function peopleHandlers(
  deps: Deps,
): Pick<
  Implementation<typeof users>,
  'list' | 'subusers' | 'get' | 'create' | 'update' | 'suspend' | 'activate'
> {
  const { now, settings, secrets } = deps

  /** Turns a person's status, seen by all and written down. */
  const turn = async (ctx: CallContext, row: UserRow, status: UserRow['status']): Promise<Person> => {
    if (row.status === status) throw new AppError('record.wrong_state', { state: status })
    const at = { id: row.id, version: row.version }
    await updateRecord(ctx.tx, appUser, at, { status }, () => personView(ctx, row.id))
    await forgetIdentities(deps, ctx)
    ctx.audit({
      feature: 'users',
      recordId: row.id,
      before: { status: row.status },
      after: { status },
    })
    ctx.event({ feature: 'users', id: row.id, kind: 'updated', ownerId: row.ownerId })
    return personView(ctx, row.id)
  }

  return {
    async list(ctx, input) {
      const people = personRecordFor(await lookerOf(ctx))
      return listOf(ctx.tx, input, listSource(ctx, people, input))
    },

    async subusers(ctx, input) {
      const people = personRecordFor(await lookerOf(ctx))
      const where = and(eq(appUser.ownerId, ctx.user.id), ne(appUser.id, ctx.user.id))
      return listOf(ctx.tx, input, listSource(ctx, people, input, { where }))
    },

    async get(ctx, { id }) {
      await findRecord(ctx, source, id)
      return personView(ctx, id)
    },

    create: prepared(
      users.create,
      () => deps.system.all(),
      async (ctx, input, { siteName: site, defaultLanguage, defaultTimeZone }) => {
        await requireProof(ctx, now())
        const id = newId()
        const row = {
          id,
          ...madeBy(ctx),
          // Whoever may do everything makes people who stand on their own; all others make sub-users.
          parentId: isBeyond(BUILT_IN_ROLES.administrator, ctx.user.rules) ? ctx.user.id : null,
          username: input.username,
          usernameKey: nameKey(input.username),
          email: input.email ?? null,
          emailKey: input.email === undefined ? null : nameKey(input.email),
          displayName: input.displayName ?? input.username,
          locale: input.locale ?? defaultLanguage,
          timeZone: input.timeZone === undefined ? defaultTimeZone : input.timeZone,
          status: 'active' as const,
        }
        if (!ctx.can('CREATE', 'USER', row)) throw new AppError('access.denied')
        await oneAtATime(ctx.tx)
        await requireRoom(ctx.tx, ctx.user.id, 'users')
        const roleIds = await givableRoles(ctx, input.roles)
        await refuseNamesakes(ctx.tx, row)
        await ctx.tx.insert(appUser).values(row)
        await setRoles(ctx.tx, id, roleIds)
        if (input.quota) await setQuota(ctx, id, input.quota)
        const invitation = { userId: id, by: ctx.user.id, now: now(), minutes: INVITATION_MINUTES }
        const { token, expiresAt } = await makeLink(ctx.tx, { ...invitation, purpose: 'resetPassword' })
        const url = resetUrl(settings.publicUrl, token)
        const by = ctx.user.displayName
        await writeMail(ctx, secrets, 'invitation', row, { site, url, by, days: String(INVITATION_DAYS) })
        const user = await personView(ctx, id)
        ctx.audit({ feature: 'users', recordId: id, after: user })
        ctx.event({ feature: 'users', id, kind: 'created', ownerId: row.ownerId })
        return { user, link: { url, expiresAt: iso(expiresAt) } }
      },
    ),

    async update(ctx, { id, version, roles, quota, ...changes }) {
      await oneAtATime(ctx.tx)
      const row = await findRecord(ctx, source, id, 'UPDATE', { lock: true })
      for (const field of Object.keys({ ...changes, ...(roles && { roles }), ...(quota && { quota }) }))
        if (!ctx.can('UPDATE', 'USER', row, field)) throw new AppError('access.denied')
      await requireOver(ctx, id)
      if (roles !== undefined || changes.email !== undefined) await requireProof(ctx, now())
      const before = await personView(ctx, id)
      const { email } = changes
      await refuseNamesakes(ctx.tx, { id, email })
      const emailKey =
        typeof email === 'string' ? { emailKey: nameKey(email) } : email === null ? { emailKey: null } : {}
      await updateRecord(ctx.tx, appUser, { id, version }, { ...changes, ...emailKey }, () => before)
      if (quota) await setQuota(ctx, id, quota)
      if (roles !== undefined) {
        await setRoles(ctx.tx, id, await givableRoles(ctx, roles), ctx.user.username)
        await keepAdministrator(ctx.tx)
      }
      await forgetIdentities(deps, ctx)
      const after = await personView(ctx, id)
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

/** A person as the caller sees them. */
export async function personView(ctx: CallContext, id: string): Promise<Person> {
  return viewOf(ctx, personRecordFor(await lookerOf(ctx)), id)
}

/** Everybody's next call is looked up anew, in every process, once this one is committed. */
export async function forgetIdentities(deps: Deps, ctx: CallContext): Promise<void> {
  await notifyIdentityChange(ctx.tx)
  ctx.afterCommit(() => deps.identities.forget())
}
