import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { canonicalJson } from '@weft/contract/core/canonical'
import type { Tx } from '../db/connection.ts'
import { databaseFailure } from '../db/errors.ts'
import { AppError } from './app-error.ts'
import { idempotency } from './tables.ts'

/** A request that may come twice. */
export interface Repeatable {
  userId: string
  endpoint: string
  key: string
  input: Readonly<Record<string, unknown>>
}

const KEY = z.string().regex(/^[\x21-\x7e]{1,200}$/)
const WAIT_MS = 10_000

/** The key of a request, checked; undefined when it has none. */
export function idempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const parsed = KEY.safeParse(header)
  if (parsed.success) return parsed.data
  throw new AppError('request.malformed')
}

/**
 * Claims the key within the call's transaction. A twin under way is waited for on its row. Gives the earlier answer,
 * or undefined when this request is the first and has to be answered with `keepAnswer`.
 */
export async function earlierAnswer(tx: Tx, request: Repeatable): Promise<unknown> {
  const requestHash = createHash('sha256').update(canonicalJson(request.input)).digest()
  try {
    await tx.execute(sql`select set_config('lock_timeout', ${`${WAIT_MS}ms`}, true)`)
    const claimed = await tx
      .insert(idempotency)
      .values({ userId: request.userId, endpoint: request.endpoint, key: request.key, requestHash })
      .onConflictDoNothing()
      .returning({ key: idempotency.key })
    await tx.execute(sql`select set_config('lock_timeout', '0', true)`)
    if (claimed.length > 0) return undefined
  } catch (error) {
    if (databaseFailure(error)?.code === '55P03')
      throw new AppError('request.in_progress', {}, { retryAfterSeconds: 1, cause: error })
    throw error
  }
  const [earlier] = await tx.select().from(idempotency).where(isRequest(request))
  if (!earlier) throw new AppError('request.in_progress', {}, { retryAfterSeconds: 1 })
  if (!earlier.requestHash.equals(requestHash)) throw new AppError('request.idempotency_mismatch')
  return earlier.answer
}

/** Keeps the answer with the key, in the same transaction. */
export async function keepAnswer(tx: Tx, request: Repeatable, answer: unknown): Promise<void> {
  await tx.update(idempotency).set({ answer }).where(isRequest(request))
}

function isRequest({ userId, endpoint, key }: Repeatable) {
  return and(eq(idempotency.userId, userId), eq(idempotency.endpoint, endpoint), eq(idempotency.key, key))
}
