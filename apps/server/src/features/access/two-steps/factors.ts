import { and, count, eq } from 'drizzle-orm'
import type { TwoSteps, TwoStepsMethod } from '@weft/contract/access/two-steps/schema'
import type { Tx } from '../../../kit/context.ts'
import { iso } from '../../../kit/record.ts'
import { passkey } from '../passkeys/table.ts'
import { role, userRole } from '../table.ts'
import { recoveryCodesLeft } from './recovery-codes.ts'
import { recoveryCode, totpFactor } from './table.ts'
import { findTotp } from './totp.ts'

/** What somebody has for a second step, and whether one is asked of them. */
export async function twoStepsOf(db: Tx, userId: string): Promise<TwoSteps> {
  const totp = await findTotp(db, userId)
  const [keys] = await db.select({ n: count() }).from(passkey).where(eq(passkey.userId, userId))
  const [asked] = await db
    .select({ id: role.id })
    .from(userRole)
    .innerJoin(role, eq(role.id, userRole.roleId))
    .where(and(eq(userRole.userId, userId), eq(role.requiresTwoSteps, true)))
    .limit(1)
  return {
    totp: totp !== undefined,
    totpSince: iso(totp?.confirmedAt ?? null),
    passkeys: keys?.n ?? 0,
    recoveryCodesLeft: await recoveryCodesLeft(db, userId),
    required: asked !== undefined,
  }
}

/** The ways in which somebody can show the second step; none where they have no factor. */
export function methodsOf({ totp, passkeys, recoveryCodesLeft: codes }: TwoSteps): TwoStepsMethod[] {
  const methods: TwoStepsMethod[] = []
  if (totp) methods.push('totp')
  if (passkeys > 0) methods.push('passkey')
  if (methods.length > 0 && codes > 0) methods.push('recovery')
  return methods
}

/** Takes everything away that somebody has for a second step. */
export async function removeFactors(tx: Tx, userId: string): Promise<void> {
  await tx.delete(totpFactor).where(eq(totpFactor.userId, userId))
  await tx.delete(passkey).where(eq(passkey.userId, userId))
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
}

/** Recovery codes without a factor are no second step: they go with the last one. */
export async function dropIdleCodes(tx: Tx, userId: string): Promise<void> {
  const now = await twoStepsOf(tx, userId)
  if (!now.totp && now.passkeys === 0) await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
}
