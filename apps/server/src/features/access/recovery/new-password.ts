import { desc, eq, sql } from 'drizzle-orm'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import { newId } from '../../../kit/id.ts'
import { checkPassword } from '../password-rules.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import { appUser, type UserRow } from '../table.ts'
import { signInTicket } from '../two-steps/table.ts'
import { passwordHistory } from './table.ts'

const REMEMBERED = 5

/**
 * Judges a new password and gives its hash: not among the most common, not the person's own name, none of their last
 * five. Slow on purpose, so it belongs before the transaction.
 */
export async function judgePassword(
  db: Tx,
  user: UserRow,
  password: string,
  field = 'newPassword',
): Promise<string> {
  checkPassword(password, [user.username, user.email, user.displayName], field)
  const earlier = await db
    .select({ hash: passwordHistory.hash })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, user.id))
    .orderBy(desc(passwordHistory.id))
    .limit(REMEMBERED - 1)
  const hashes = [user.passwordHash, ...earlier.map((row) => row.hash)].filter((hash) => hash !== null)
  for (const hash of hashes)
    if (await verifyPassword(password, hash)) {
      const code = 'password.used_before'
      const message = 'Your new password must be different from previously used passwords'
      throw new AppError(code, {}, { errors: [{ path: field, code, message }] })
    }
  return hashPassword(password)
}

/** Gives a person the password with this hash and remembers the one before. A sign-in that stands open ends. */
export async function setPassword(tx: Tx, user: UserRow, hash: string, now: Date): Promise<void> {
  if (user.passwordHash !== null)
    await tx
      .insert(passwordHistory)
      .values({ id: newId(), userId: user.id, hash: user.passwordHash, replacedAt: now })
  await tx
    .update(appUser)
    .set({ passwordHash: hash, version: sql`${appUser.version} + 1`, updatedAt: now })
    .where(eq(appUser.id, user.id))
  await tx.delete(signInTicket).where(eq(signInTicket.userId, user.id))
}
