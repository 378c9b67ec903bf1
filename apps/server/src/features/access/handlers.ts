import { and, desc, eq, inArray, ne, or } from 'drizzle-orm'
import { access } from '@weft/contract/access/api'
import { effectiveRules } from '../../kit/access.ts'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { prepared, type Implementation } from '../../kit/implement.ts'
import { findRecord, iso } from '../../kit/record.ts'
import { systemActor, transact } from '../../kit/work.ts'
import { requireOver } from './authority.ts'
import { isOpen } from './conditions.ts'
import { beginSession } from './begin.ts'
import { Door } from './door.ts'
import { clearCookies, giveCookies, readRefreshCookie } from './cookies.ts'
import { checkSetupToken, makeFirstAdministrator, nameKey } from './first-administrator.ts'
import { personOf } from './identities.ts'
import { checkPassword } from './password-rules.ts'
import { hashPassword, needsRehash, verifyPassword } from './password.ts'
import { signedIn, userInfo } from './present.ts'
import { USERS } from './people.ts'
import { noteProof, PROOF_MS } from './proof.ts'
import { endSessions, findRefreshable, rotate } from './sessions.ts'
import { passwordsAllowed } from './sso/way-in.ts'
import { appUser, session, type SessionRow, type UserRow } from './table.ts'
import { attemptOf, forgiveAttempt, reserveAttempt } from './throttle.ts'
import { nextStep } from './two-steps/tickets.ts'
import { takeTotp } from './two-steps/totp.ts'

/** Signing in and out, and one's own sessions. */
export function accessHandlers(deps: Deps): Implementation<typeof access> {
  const { settings, now } = deps
  const door = new Door()

  /** Somebody shows a token that was used up: whoever stole it, its session ends for both. */
  const endReused = async ({ id, userId }: SessionRow) => {
    await transact(deps, systemActor('sign-in'), async (work) => {
      await endSessions(work.tx, eq(session.id, id), 'reused')
      work.audit({ feature: 'access', recordId: id, label: 'session.reused', after: { userId } })
    })
  }

  /** The open sessions of somebody, the one last used first. */
  const sessionsOf = async (ctx: Pick<CallContext, 'tx' | 'sessionId'>, userId: string) => {
    const rows = await ctx.tx
      .select()
      .from(session)
      .where(and(eq(session.userId, userId), isOpen(now())))
      .orderBy(desc(session.lastUsedAt), desc(session.id))
    const data = rows.map((row) => ({
      id: row.id,
      userAgent: row.userAgent,
      address: row.address,
      createdAt: iso(row.createdAt),
      lastUsedAt: iso(row.lastUsedAt),
      expiresAt: iso(row.expiresAt),
      remembered: row.remembered,
      current: row.id === ctx.sessionId,
    }))
    return { data, totalPage: 1, totalRecord: data.length }
  }

  return {
    setUp: prepared(
      access.setUp,
      async ({ db }, input) => {
        await checkSetupToken(db, input.token)
        checkPassword(input.password, [input.username, input.email])
        return hashPassword(input.password)
      },
      async (ctx, input, passwordHash) => {
        await checkSetupToken(ctx.tx, input.token)
        const id = await makeFirstAdministrator(ctx.tx, { ...input, passwordHash })
        ctx.audit({ feature: 'users', recordId: id, after: { username: input.username } })
        return beginSession(deps, ctx, id, false)
      },
    ),

    login: prepared(
      access.login,
      ({ db, address }, input) =>
        door.pass(address, now().getTime(), async () => {
          const { localSignIn } = await deps.system.all()
          if (!(await passwordsAllowed(db, localSignIn))) throw new AppError('auth.local_off')
          const attempt = attemptOf(nameKey(input.username), address)
          await reserveAttempt(db, attempt)
          const user = await findByName(db, input.username)
          const fits = await verifyPassword(input.password, user?.passwordHash)
          if (!fits || !user || user.status !== 'active') throw new AppError('auth.wrong_credentials')
          door.forgive(address)
          const betterHash =
            user.passwordHash && needsRehash(user.passwordHash)
              ? await hashPassword(input.password)
              : undefined
          return { attempt, userId: user.id, betterHash }
        }),
      async (ctx, input, { attempt, userId, betterHash }) => {
        await forgiveAttempt(ctx.tx, attempt)
        if (betterHash !== undefined)
          await ctx.tx.update(appUser).set({ passwordHash: betterHash }).where(eq(appUser.id, userId))
        const { remember: remembered } = input
        const step = await nextStep(ctx.tx, { userId, remembered, now: now() })
        return step ?? beginSession(deps, ctx, userId, remembered)
      },
    ),

    refresh: prepared(
      access.refresh,
      async ({ db, http }) => {
        const found = await findRefreshable(db, readRefreshCookie(http, settings), now(), false)
        if (found.kind === 'reused') await endReused(found.session)
        if (found.kind === 'good') return
        clearCookies(http, settings)
        throw new AppError('auth.ended')
      },
      async (ctx) => {
        const at = now()
        const found = await findRefreshable(ctx.tx, readRefreshCookie(ctx.http, settings), at, true)
        if (found.kind !== 'good') throw new AppError('auth.ended')
        const tokens = await rotate(ctx.tx, found, at)
        giveCookies(ctx.http, settings, tokens, at)
        const person = await personOf(ctx.tx, found.session, at)
        if (!person) throw new AppError('auth.ended')
        return signedIn(ctx.tx, person.user.id, tokens, person.viewer)
      },
    ),

    async logout(ctx) {
      const found = await findRefreshable(ctx.tx, readRefreshCookie(ctx.http, settings), now(), true)
      if (found.kind !== 'unknown') await endSessions(ctx.tx, eq(session.id, found.session.id), 'logout')
      ctx.afterCommit(() => deps.identities.forget())
      clearCookies(ctx.http, settings)
    },

    prove: prepared(
      access.prove,
      async ({ db, user, address }, { password }) => {
        const attempt = attemptOf(nameKey(user.username), address)
        await reserveAttempt(db, attempt)
        if (password === undefined) return attempt
        const [row] = await db
          .select({ hash: appUser.passwordHash })
          .from(appUser)
          .where(eq(appUser.id, user.id))
        if (await verifyPassword(password, row?.hash)) return attempt
        const code = 'auth.wrong_credentials'
        const message = 'Wrong password'
        throw new AppError('request.invalid', {}, { errors: [{ path: 'password', code, message }] })
      },
      async (ctx, { code }, attempt) => {
        const at = now()
        if (code !== undefined) await takeTotp(ctx.tx, deps.secrets, ctx.user.id, code, at)
        await forgiveAttempt(ctx.tx, attempt)
        await noteProof(ctx.tx, ctx.sessionId, at)
        ctx.audit({ feature: 'users', recordId: ctx.user.id, after: { by: code ? 'totp' : 'login' } })
        return { until: iso(new Date(at.getTime() + PROOF_MS)) }
      },
    ),

    async info(ctx) {
      const info = await userInfo(ctx.tx, ctx.user.id, ctx.viewer)
      if (ctx.tokenName === undefined) return info
      return { ...info, abilities: effectiveRules(ctx.user.rules, ctx.user.id) }
    },

    sessions: (ctx) => sessionsOf(ctx, ctx.user.id),

    async sessionsOf(ctx, { id }) {
      await findRecord(ctx, USERS, id, 'MANAGE')
      return sessionsOf(ctx, id)
    },

    async endSessionsOf(ctx, { id }) {
      await findRecord(ctx, USERS, id, 'MANAGE')
      await requireOver(ctx, id)
      const ended = await endSessions(ctx.tx, eq(session.userId, id), 'ended by administrator')
      ctx.afterCommit(() => deps.identities.forget())
      ctx.audit({ feature: 'users', recordId: id, after: { sessions: ended } })
      return { ended: ended.length }
    },

    async endSession(ctx, { ids, others }) {
      const chosen = or(
        ids.length > 0 ? inArray(session.id, ids) : undefined,
        others ? ne(session.id, ctx.sessionId) : undefined,
      )
      if (!chosen) return { ended: 0 }
      const ended = await endSessions(ctx.tx, and(eq(session.userId, ctx.user.id), chosen), 'ended by user')
      ctx.afterCommit(() => deps.identities.forget())
      ctx.audit({ feature: 'access', recordId: ctx.user.id, after: { sessions: ended } })
      return { ended: ended.length }
    },
  }
}

async function findByName(db: Tx, name: string): Promise<UserRow | undefined> {
  const key = nameKey(name)
  const [user] = await db
    .select()
    .from(appUser)
    .where(or(eq(appUser.usernameKey, key), eq(appUser.emailKey, key)))
  return user?.deletedAt ? undefined : user
}
