import { randomInt } from 'node:crypto'
import { and, count, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../kit/context.ts'
import { hashToken } from '../tokens.ts'
import { recoveryCode } from './table.ts'
import { wrongCode } from './totp.ts'

const CODES = 10
/** Without signs that are read as others: i, l, o, u. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUPS = 6
const GROUP_LENGTH = 4

/** A code of 120 bits, so that a plain hash keeps it: `8f2k-…` in six groups. */
function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => SIGNS.charAt(randomInt(SIGNS.length))).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** As it is kept: whatever way it was typed. */
function hashCode(userId: string, code: string): Buffer {
  const plain = code
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll(/[il]/g, '1')
    .replaceAll('o', '0')
  return hashToken(`${userId}\0${plain}`)
}

/** Makes ten new codes; the ones before are void. Only their hashes are kept. */
export async function renewRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.insert(recoveryCode).values(codes.map((code) => ({ userId, hash: hashCode(userId, code) })))
  return codes
}

/** How many codes were not used yet. */
export async function recoveryCodesLeft(db: Tx, userId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(recoveryCode)
    .where(and(eq(recoveryCode.userId, userId), isNull(recoveryCode.usedAt)))
  return row?.n ?? 0
}

/** Uses a code up, or refuses it. */
export async function takeRecoveryCode(tx: Tx, userId: string, code: string, now: Date): Promise<void> {
  const taken = await tx
    .update(recoveryCode)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCode.userId, userId),
        eq(recoveryCode.hash, hashCode(userId, code)),
        isNull(recoveryCode.usedAt),
      ),
    )
    .returning({ userId: recoveryCode.userId })
  if (taken.length === 0) throw wrongCode()
}
