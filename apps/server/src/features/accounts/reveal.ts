import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { accounts } from '@weft/contract/accounts/api'
import { AppError } from '../../kit/app-error.ts'
import type { Deps } from '../../kit/deps.ts'
import { prepared, type Handler } from '../../kit/implement.ts'
import { findRecord } from '../../kit/record.ts'
import { sourceOf } from '../../kit/resource/definition.ts'
import { openField } from '../../kit/resource/secrets.ts'
import { nameKey } from '../access/first-administrator.ts'
import { verifyPassword } from '../access/password.ts'
import { appUser } from '../access/table.ts'
import { attemptOf, forgiveAttempt, reserveAttempt } from '../access/throttle.ts'
import { accountResource } from './resource.ts'
import { account } from './table.ts'

const codes = z.array(z.string())

/** Shows one secret to somebody who gives their own password again; guessing it is as slow as at the sign-in. */
export function revealHandler({ secrets }: Pick<Deps, 'secrets'>): Handler<typeof accounts.reveal> {
  return prepared(
    accounts.reveal,
    async ({ db, user, address }, { ownPassword }) => {
      const attempt = attemptOf(nameKey(user.username), address)
      await reserveAttempt(db, attempt)
      const [row] = await db
        .select({ hash: appUser.passwordHash })
        .from(appUser)
        .where(eq(appUser.id, user.id))
      if (!(await verifyPassword(ownPassword, row?.hash)))
        throw new AppError(
          'request.invalid',
          {},
          {
            errors: [{ path: 'ownPassword', code: 'auth.wrong_credentials', message: 'Wrong password' }],
          },
        )
      return attempt
    },
    async (ctx, { id, secret }, attempt) => {
      await forgiveAttempt(ctx.tx, attempt)
      const row = await findRecord(ctx, sourceOf(accountResource), id, 'REVEAL')
      ctx.audit({ feature: 'accounts', recordId: id, after: { shown: secret } })
      const text = openField(secrets, account, secret, row)
      if (secret === 'recoveryCodes') return { value: text === null ? [] : codes.parse(JSON.parse(text)) }
      return { value: text ?? '' }
    },
  )
}
