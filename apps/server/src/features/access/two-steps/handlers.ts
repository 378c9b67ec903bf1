import { eq } from 'drizzle-orm'
import { twoSteps } from '@weft/contract/access/two-steps/api'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { prepared, type Implementation } from '../../../kit/implement.ts'
import { findRecord } from '../../../kit/record.ts'
import { notify } from '../../notifications/notify.ts'
import { requireOver } from '../authority.ts'
import { beginSession } from '../begin.ts'
import { writeMail } from '../mail/outbox.ts'
import { signInOptions, takePasskey } from '../passkeys/sign-in.ts'
import { USERS } from '../people.ts'
import { requireProof } from '../proof.ts'
import { endSessions } from '../sessions.ts'
import { session } from '../table.ts'
import { countTry, forgiveTries } from '../throttle.ts'
import { dropIdleCodes, removeFactors, twoStepsOf } from './factors.ts'
import { renewRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'
import { signInTicket, totpFactor } from './table.ts'
import { countTicketTry, readTicket, takeTicket, type Ticket } from './tickets.ts'
import { beginTotp, confirmTotp, takeTotp, wrongCode } from './totp.ts'

const TRIES = 10
const triesOf = (userId: string) => `two-steps\0${userId}`

/** The second step: shown at the sign-in, set up, turned off, taken away. */
export function twoStepsHandlers(deps: Deps): Implementation<typeof twoSteps> {
  const { secrets, settings, now } = deps
  const site = async () => (await deps.system.all()).siteName

  /** An open sign-in, one try counted for its ticket and for its person. */
  const tryTicket = async (db: Tx, ticket: string, enrol: boolean): Promise<Ticket> => {
    const found = await readTicket(db, ticket, enrol, now())
    await countTry(db, triesOf(found.user.id), TRIES)
    await countTicketTry(db, ticket)
    return found
  }

  return {
    next: prepared(
      twoSteps.next,
      ({ db }, { ticket }) => tryTicket(db, ticket, false),
      async (ctx, { ticket, method, code = '', passkey }, { row, user }) => {
        await takeTicket(ctx.tx, ticket)
        if (method === 'totp') await takeTotp(ctx.tx, secrets, user.id, code, now())
        else if (method === 'recovery') await takeRecoveryCode(ctx.tx, user.id, code, now())
        else if (passkey) await takePasskey(ctx.tx, settings, { row, passkey, now: now() })
        else throw wrongCode()
        await forgiveTries(ctx.tx, triesOf(user.id))
        ctx.audit({ feature: 'users', recordId: user.id, after: { method } })
        return beginSession(deps, ctx, user.id, row.remembered)
      },
    ),

    async passkeyOptions(ctx, { ticket }) {
      const { row, user } = await readTicket(ctx.tx, ticket, false, now())
      const options = await signInOptions(ctx.tx, settings, user.id)
      await ctx.tx
        .update(signInTicket)
        .set({ challenge: options.challenge })
        .where(eq(signInTicket.hash, row.hash))
      return { options: { ...options } }
    },

    nextEnrol: prepared(
      twoSteps.nextEnrol,
      () => site(),
      async (ctx, { ticket }, name) => {
        const { user } = await readTicket(ctx.tx, ticket, true, now())
        return beginTotp(ctx.tx, secrets, user, { site: name, now: now() })
      },
    ),

    nextConfirm: prepared(
      twoSteps.nextConfirm,
      ({ db }, { ticket }) => tryTicket(db, ticket, true),
      async (ctx, { ticket, code }, { row, user }) => {
        await takeTicket(ctx.tx, ticket)
        await confirmTotp(ctx.tx, secrets, user.id, code, now())
        const recoveryCodes = await renewRecoveryCodes(ctx.tx, user.id)
        await forgiveTries(ctx.tx, triesOf(user.id))
        ctx.audit({ feature: 'users', recordId: user.id, after: { totp: true } })
        return { ...(await beginSession(deps, ctx, user.id, row.remembered)), recoveryCodes }
      },
    ),

    state: (ctx) => twoStepsOf(ctx.tx, ctx.user.id),

    enrol: prepared(
      twoSteps.enrol,
      () => site(),
      async (ctx, _input, name) => {
        await requireProof(ctx, now())
        ctx.audit({ feature: 'users', recordId: ctx.user.id })
        return beginTotp(ctx.tx, secrets, ctx.user, { site: name, now: now() })
      },
    ),

    confirm: prepared(
      twoSteps.confirm,
      ({ db, user }) => countTry(db, triesOf(user.id), TRIES),
      async (ctx, { code }) => {
        await requireProof(ctx, now())
        await confirmTotp(ctx.tx, secrets, ctx.user.id, code, now())
        await forgiveTries(ctx.tx, triesOf(ctx.user.id))
        ctx.audit({ feature: 'users', recordId: ctx.user.id, after: { totp: true } })
        return { recoveryCodes: await renewRecoveryCodes(ctx.tx, ctx.user.id) }
      },
    ),

    async renewCodes(ctx) {
      await requireProof(ctx, now())
      const { totp, passkeys } = await twoStepsOf(ctx.tx, ctx.user.id)
      if (!totp && passkeys === 0) throw new AppError('two_steps.not_on')
      ctx.audit({ feature: 'users', recordId: ctx.user.id })
      return { recoveryCodes: await renewRecoveryCodes(ctx.tx, ctx.user.id) }
    },

    async turnOff(ctx) {
      await requireProof(ctx, now())
      const { totp, passkeys, required } = await twoStepsOf(ctx.tx, ctx.user.id)
      if (!totp) throw new AppError('two_steps.not_on')
      if (required && passkeys === 0) throw new AppError('two_steps.required')
      await ctx.tx.delete(totpFactor).where(eq(totpFactor.userId, ctx.user.id))
      await dropIdleCodes(ctx.tx, ctx.user.id)
      ctx.audit({ feature: 'users', recordId: ctx.user.id, before: { totp: true }, after: { totp: false } })
    },

    reset: prepared(
      twoSteps.reset,
      () => site(),
      async (ctx, { id }, name) => {
        const user = await findRecord(ctx, USERS, id, 'MANAGE')
        await requireOver(ctx, id)
        const before = await twoStepsOf(ctx.tx, id)
        await removeFactors(ctx.tx, id)
        // Whoever is signed in by what was taken away shows their password anew.
        await endSessions(ctx.tx, eq(session.userId, id), 'second step reset')
        ctx.afterCommit(() => deps.identities.forget())
        await writeMail(ctx, secrets, 'twoStepsReset', user, { site: name })
        await notify(ctx.tx, id, { kind: 'twoSteps.reset', params: { by: ctx.user.username } })
        ctx.audit({ feature: 'users', recordId: id, before, after: { totp: false, passkeys: 0 } })
        ctx.event({ feature: 'users', id, kind: 'updated', ownerId: user.ownerId })
      },
    ),
  }
}
