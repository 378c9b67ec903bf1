import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '../../../kit/context.ts'
import type { Secrets } from '../../../kit/secrets.ts'
import { guardedSetting } from './table.ts'

/** A setting that comes with a secret: its name, and the form of what is not secret, every part with a default. */
export interface Guarded<T> {
  readonly key: string
  readonly schema: z.ZodType<T>
}

/** A setting as it is now. */
export interface GuardedValue<T> {
  value: T
  secret: string | null
}

const place = (key: string) => ({ table: 'guarded_setting', column: 'sealed', row: key })

/** Reads a setting with its secret. One that nobody has set has its defaults and no secret. */
export async function readGuarded<T>(
  db: Tx,
  secrets: Secrets,
  { key, schema }: Guarded<T>,
): Promise<GuardedValue<T>> {
  const [row] = await db.select().from(guardedSetting).where(eq(guardedSetting.key, key))
  return {
    value: schema.parse(row?.value ?? {}),
    secret: row?.sealed ? secrets.open(row.sealed, place(key)) : null,
  }
}

/** Writes a setting. A secret left out stays as it is; null removes it. */
export async function writeGuarded<T extends object>(
  tx: Tx,
  secrets: Secrets,
  { key, schema }: Guarded<T>,
  given: { value: T; secret?: string | null | undefined; by: string },
): Promise<void> {
  const value = schema.parse(given.value)
  const sealed = given.secret ? secrets.seal(given.secret, place(key)) : null
  const changed = given.secret === undefined ? {} : { sealed }
  await tx
    .insert(guardedSetting)
    .values({ key, value, sealed, updatedBy: given.by })
    .onConflictDoUpdate({
      target: guardedSetting.key,
      set: { value, ...changed, updatedBy: given.by, updatedAt: sql`now()` },
    })
}
