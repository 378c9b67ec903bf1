import { and, eq, ne } from 'drizzle-orm'
import { users } from '@weft/contract/users/api'
import type { OwnProfile } from '@weft/contract/users/schema'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { prepared, type Implementation } from '../../kit/implement.ts'
import { updateRecord } from '../../kit/record.ts'
import { nameKey } from '../access/first-administrator.ts'
import { notifyIdentityChange } from '../access/identities.ts'
import { writeMail } from '../access/mail/outbox.ts'
import { verifyPassword } from '../access/password.ts'
import { judgePassword, setPassword } from '../access/recovery/new-password.ts'
import { endSessions } from '../access/sessions.ts'
import { appUser, session, type UserRow } from '../access/table.ts'
import { attemptOf, forgiveAttempt, reserveAttempt } from '../access/throttle.ts'

/** What people do about themselves. */
export function ownHandlers(
  deps: Deps,
): Pick<Implementation<typeof users>, 'profile' | 'updateProfile' | 'changePassword'> {
  return {
    profile: async (ctx) => profileOf(await ownRow(ctx.tx, ctx.user.id)),

    async updateProfile(ctx, { version, ...changes }) {
      const { id } = ctx.user
      const before = profileOf(await ownRow(ctx.tx, id))
      const row = await updateRecord(ctx.tx, appUser, { id, version }, changes, (now) => profileOf(now))
      await notifyIdentityChange(ctx.tx)
      ctx.afterCommit(() => deps.identities.forget())
      ctx.audit({ feature: 'users', recordId: id, before, after: profileOf(row) })
      ctx.event({ feature: 'users', id, kind: 'updated', ownerId: row.ownerId })
      return profileOf(row)
    },

    changePassword: prepared(
      users.changePassword,
      async ({ db, user, address }, { currentPassword, newPassword }) => {
        const attempt = attemptOf(nameKey(user.username), address)
        await reserveAttempt(db, attempt)
        const row = await ownRow(db, user.id)
        if (!(await verifyPassword(currentPassword, row.passwordHash ?? undefined))) {
          const code = 'auth.wrong_credentials'
          const errors = [{ path: 'currentPassword', code, message: 'Wrong password' }]
          throw new AppError('request.invalid', {}, { errors })
        }
        // The current password was right; what may be wrong with the new one is no failed attempt.
        await forgiveAttempt(db, attempt)
        const hash = await judgePassword(db, row, newPassword)
        return { row, hash, site: (await deps.system.all()).siteName }
      },
      async (ctx, _input, { row, hash, site }) => {
        await setPassword(ctx.tx, row, hash, deps.now())
        const others = and(eq(session.userId, row.id), ne(session.id, ctx.sessionId))
        const ended = await endSessions(ctx.tx, others, 'password changed')
        ctx.afterCommit(() => deps.identities.forget())
        await writeMail(ctx, deps.secrets, 'passwordChanged', row, { site })
        ctx.audit({ feature: 'users', recordId: row.id, after: { sessionsEnded: ended.length } })
        ctx.event({ feature: 'users', id: row.id, kind: 'updated', ownerId: row.ownerId })
        return { sessionsEnded: ended.length }
      },
    ),
  }
}

async function ownRow(tx: Tx, id: string): Promise<UserRow> {
  const [row] = await tx.select().from(appUser).where(eq(appUser.id, id))
  if (!row) throw new AppError('auth.ended')
  return row
}

function profileOf(row: UserRow): OwnProfile {
  const { id, version, username, email, displayName, locale, timeZone } = row
  return {
    id,
    version,
    username,
    email,
    displayName,
    locale,
    timeZone,
    hasPassword: row.passwordHash !== null,
  }
}
