import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Enrolment } from '@weft/contract/access/two-steps/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { Tx } from '../../../kit/context.ts'
import type { Secrets } from '../../../kit/secrets.ts'
import { totpFactor, type TotpRow } from './table.ts'

const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
/** A clock may be half a minute off, either way. */
const WINDOW = 1

const place = (userId: string) => ({ table: 'totp_factor', column: 'sealed_secret', row: userId })

/** The half minute that a code stands for, where it fits the secret now or a step around now. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })
  const delta = totp.validate({ token, timestamp: now.getTime(), window: WINDOW })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
}

/** The authenticator that somebody has set up and shown to work. */
export async function findTotp(db: Tx, userId: string): Promise<TotpRow | undefined> {
  const [row] = await db
    .select()
    .from(totpFactor)
    .where(and(eq(totpFactor.userId, userId), isNotNull(totpFactor.confirmedAt)))
  return row
}

/** Begins anew to set an authenticator up; one that works is not touched. */
export async function beginTotp(
  tx: Tx,
  secrets: Secrets,
  person: { id: string; username: string },
  at: { site: string; now: Date },
): Promise<Enrolment> {
  const secret = new Secret({ size: SECRET_BYTES })
  const sealedSecret = secrets.seal(secret.base32, place(person.id))
  const kept = await tx
    .insert(totpFactor)
    .values({ userId: person.id, sealedSecret, createdAt: at.now })
    .onConflictDoUpdate({
      target: totpFactor.userId,
      set: { sealedSecret, createdAt: at.now },
      setWhere: isNull(totpFactor.confirmedAt),
    })
    .returning({ userId: totpFactor.userId })
  if (kept.length === 0) throw new AppError('two_steps.already_on')
  const uri = new TOTP({ issuer: at.site, label: person.username, secret, period: PERIOD_SECONDS })
  return { secret: secret.base32, otpauthUrl: uri.toString() }
}

/** Sets an authenticator up for good with a code that it showed. */
export async function confirmTotp(
  tx: Tx,
  secrets: Secrets,
  userId: string,
  code: string,
  now: Date,
): Promise<void> {
  const [row] = await tx.select().from(totpFactor).where(eq(totpFactor.userId, userId)).for('update')
  if (!row) throw new AppError('two_steps.not_on')
  if (row.confirmedAt) throw new AppError('two_steps.already_on')
  const step = stepOf(secrets.open(row.sealedSecret, place(userId)), code, now)
  if (step === null) throw wrongCode()
  await tx.update(totpFactor).set({ confirmedAt: now, lastStep: step }).where(eq(totpFactor.userId, userId))
}

/** Takes a code of somebody's authenticator; each is taken once, and none that is older than the last. */
export async function takeTotp(
  tx: Tx,
  secrets: Secrets,
  userId: string,
  code: string,
  now: Date,
): Promise<void> {
  const row = await findTotp(tx, userId)
  const step = row ? stepOf(secrets.open(row.sealedSecret, place(userId)), code, now) : null
  if (step === null) throw wrongCode()
  const taken = await tx
    .update(totpFactor)
    .set({ lastStep: step })
    .where(and(eq(totpFactor.userId, userId), lt(totpFactor.lastStep, step)))
    .returning({ userId: totpFactor.userId })
  if (taken.length === 0) throw wrongCode()
}

/** 422 for the field of the code. */
export function wrongCode(): AppError {
  const code = 'two_steps.wrong_code'
  const message = 'The code is wrong or was used.'
  return new AppError(code, {}, { errors: [{ path: 'code', code, message }] })
}
