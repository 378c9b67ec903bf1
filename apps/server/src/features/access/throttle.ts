import { createHash } from 'node:crypto'
import { inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { AppError } from '../../kit/app-error.ts'
import type { Tx } from '../../kit/context.ts'
import { networkOf } from '../../kit/rate.ts'
import { settingInSql } from '../system/settings.ts'
import { signInThrottle } from './table.ts'

const WINDOW = '15 minutes'
const FIRST_WAIT_SECONDS = 30
const LONGEST_WAIT_SECONDS = 900

/** The counters of one attempt to sign in. */
export interface Attempt {
  account: Buffer
  address: Buffer
}

/** Names the counters of an attempt: by account from this address, and by address alone. */
export function attemptOf(usernameKey: string, address: string): Attempt {
  const place = networkOf(address)
  return { account: keyOf(`account\0${usernameKey}\0${place}`), address: keyOf(`address\0${place}`) }
}

function keyOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const counted = z.object({ failures: z.number() })
const blocked = z.object({ seconds: z.coerce.number() })

/**
 * Counts an attempt as failed before its password is looked at, so that many at once are counted too. From the limit on
 * each failure doubles the wait; within the wait nothing is looked at.
 */
export async function reserveAttempt(db: Tx, attempt: Attempt): Promise<void> {
  await reserve(db, attempt.account, settingInSql('signInAttempts'))
  await reserve(db, attempt.address, settingInSql('signInAttemptsPerAddress'))
}

async function reserve(db: Tx, key: Buffer, limit: number | SQL): Promise<void> {
  const over = sql`greatest(t.failures + 1 - (${limit})::int, 0)`
  const wait = sql`least(${FIRST_WAIT_SECONDS}::int * power(2, least(${over}, 10)), ${LONGEST_WAIT_SECONDS}::int)`
  const { rows } = await db.execute(sql`
    insert into sign_in_throttle as t (key, failures, window_ends_at)
    values (${key}, 1, now() + ${WINDOW}::interval)
    on conflict (key) do update set
      failures = case when t.window_ends_at <= now() then 1 else t.failures + 1 end,
      window_ends_at = now() + ${WINDOW}::interval,
      blocked_until = case when t.window_ends_at > now() and t.failures + 1 >= (${limit})::int
        then now() + make_interval(secs => ${wait}) end
    where t.blocked_until is null or t.blocked_until <= now()
    returning failures`)
  if (rows.map((row) => counted.parse(row)).length > 0) return
  const seconds = await secondsLeft(db, key)
  throw new AppError('auth.too_many_attempts', { seconds }, { retryAfterSeconds: seconds })
}

/** Counts one try of something that may be tried so often in a quarter of an hour; beyond, each waits longer. */
export async function countTry(db: Tx, what: string, limit: number): Promise<void> {
  await reserve(db, keyOf(what), limit)
}

/** Forgets the tries of something that succeeded. */
export async function forgiveTries(tx: Tx, what: string): Promise<void> {
  await tx.delete(signInThrottle).where(inArray(signInThrottle.key, [keyOf(what)]))
}

/** Lets something be asked for once in so many seconds. */
export async function onceIn(db: Tx, what: string, seconds: number): Promise<void> {
  const key = keyOf(`once\0${what}`)
  const until = sql`now() + make_interval(secs => ${seconds}::int)`
  const { rows } = await db.execute(sql`
    insert into sign_in_throttle as t (key, failures, window_ends_at, blocked_until)
    values (${key}, 0, ${until}, ${until})
    on conflict (key) do update set window_ends_at = excluded.window_ends_at, blocked_until = excluded.blocked_until
    where t.blocked_until <= now()
    returning failures`)
  if (rows.length > 0) return
  const left = await secondsLeft(db, key)
  throw new AppError('auth.wait_next_request', { seconds: left }, { retryAfterSeconds: left })
}

async function secondsLeft(db: Tx, key: Buffer): Promise<number> {
  const held = await db.execute(sql`
    select ceil(extract(epoch from blocked_until - now())) as seconds from sign_in_throttle where key = ${key}`)
  return Math.max(1, blocked.parse(held.rows[0] ?? { seconds: 1 }).seconds)
}

/** Takes the count back after a success: all of the account's, one of the address's. */
export async function forgiveAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  await tx.delete(signInThrottle).where(inArray(signInThrottle.key, [attempt.account]))
  await tx
    .update(signInThrottle)
    .set({ failures: sql`greatest(${signInThrottle.failures} - 1, 0)`, blockedUntil: null })
    .where(inArray(signInThrottle.key, [attempt.address]))
}
