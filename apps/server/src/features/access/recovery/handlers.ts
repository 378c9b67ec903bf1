import { eq } from 'drizzle-orm'
import { recovery } from '@weft/contract/access/recovery/api'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { prepared, type Implementation } from '../../../kit/implement.ts'
import { findRecord, iso } from '../../../kit/record.ts'
import { networkOf } from '../../../kit/rate.ts'
import { notify } from '../../notifications/notify.ts'
import { requireOver } from '../authority.ts'
import { nameKey } from '../first-administrator.ts'
import { writeMail } from '../mail/outbox.ts'
import { USERS } from '../people.ts'
import { endSessions } from '../sessions.ts'
import { session } from '../table.ts'
import { countTry, forgiveTries, onceIn } from '../throttle.ts'
import { LINK_MINUTES, resetUrl, sendResetLink } from './forgotten.ts'
import { makeLink, readLink, takeLink } from './links.ts'
import { judgePassword, setPassword } from './new-password.ts'

const WAIT_SECONDS = 300
const ASKED_PER_ADDRESS = 20
const LINKS_PER_ADDRESS = 30

/** Asking for a new password, and setting it. */
export function recoveryHandlers(deps: Deps): Implementation<typeof recovery> {
  const { settings, now } = deps

  /** Reads a link. Wrong ones are counted by address; an office full of invited people brings good ones. */
  const openLink = async (db: Tx, address: string, token: string) => {
    const tries = `link\0${networkOf(address)}`
    await countTry(db, tries, LINKS_PER_ADDRESS)
    const found = await readLink(db, token, 'resetPassword', now())
    await forgiveTries(db, tries)
    return found
  }

  return {
    forgot: prepared(
      recovery.forgot,
      async ({ db, address }, { email }) => {
        await countTry(db, `forgot\0${networkOf(address)}`, ASKED_PER_ADDRESS)
        await onceIn(db, `forgot\0${nameKey(email)}`, WAIT_SECONDS)
      },
      async (ctx, { email }) => {
        const { address, requestId } = ctx
        await ctx.enqueue(sendResetLink, { emailKey: nameKey(email), address, requestId })
      },
    ),

    check: prepared(
      recovery.check,
      ({ db, address }, { token }) => openLink(db, address, token),
      async (_ctx, _input, { expiresAt }) => ({ expiresAt: iso(expiresAt) }),
    ),

    reset: prepared(
      recovery.reset,
      async ({ db, address }, { token, newPassword }) => {
        const { user } = await openLink(db, address, token)
        const hash = await judgePassword(db, user, newPassword)
        return { user, hash, site: (await deps.system.all()).siteName }
      },
      async (ctx, { token }, { user, hash, site }) => {
        await takeLink(ctx.tx, token, 'resetPassword', now())
        await setPassword(ctx.tx, user, hash, now())
        const ended = await endSessions(ctx.tx, eq(session.userId, user.id), 'password reset')
        ctx.afterCommit(() => deps.identities.forget())
        await writeMail(ctx, deps.secrets, 'passwordChanged', user, { site })
        ctx.audit({ feature: 'users', recordId: user.id, after: { sessionsEnded: ended.length } })
        ctx.event({ feature: 'users', id: user.id, kind: 'updated', ownerId: user.ownerId })
      },
    ),

    async handOut(ctx, { id }) {
      const user = await findRecord(ctx, USERS, id, 'MANAGE')
      await requireOver(ctx, id)
      const { token, expiresAt } = await makeLink(ctx.tx, {
        userId: user.id,
        purpose: 'resetPassword',
        by: ctx.user.id,
        now: now(),
        minutes: LINK_MINUTES,
      })
      await notify(ctx.tx, id, { kind: 'password.linkHandedOut', params: { by: ctx.user.username } })
      ctx.audit({ feature: 'users', recordId: id, after: { expiresAt } })
      return { url: resetUrl(settings.publicUrl, token), expiresAt: iso(expiresAt) }
    },
  }
}
