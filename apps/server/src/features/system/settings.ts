import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { SYSTEM_RUNNING } from '@weft/contract/system/schema'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../kit/context.ts'
import type { SystemState } from '../../kit/deps.ts'
import { setting } from './table.ts'

/** Every setting with its type and default. */
const settingsSchema = z.object({
  systemStatus: z.int().min(0).max(99).default(SYSTEM_RUNNING),
  siteName: z.string().trim().min(1).max(80).default('WEFT'),
  googleReCaptchaKey: z.string().max(200).default(''),
})
export type SystemSettings = z.infer<typeof settingsSchema>

/** The channel on which every process hears that a setting changed. */
export const SETTINGS_CHANNEL = 'weft_settings'
const HELD_MS = 5_000

/** The installation's settings, read from the database and held for five seconds or until a notice. */
export class HeldSettings implements SystemState {
  readonly #db: Db
  #held: { settings: SystemSettings; until: number } | undefined

  constructor(db: Db) {
    this.#db = db
  }

  forget(): void {
    this.#held = undefined
  }

  async status(): Promise<number> {
    return (await this.all()).systemStatus
  }

  /** Every setting; one that was not changed has its default. */
  async all(): Promise<SystemSettings> {
    if (this.#held && this.#held.until > performance.now()) return this.#held.settings
    const rows = await this.#db.select({ key: setting.key, value: setting.value }).from(setting)
    const settings = settingsSchema.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])))
    this.#held = { settings, until: performance.now() + HELD_MS }
    return settings
  }
}

/** Changes one setting; every process knows within moments of the commit. */
export async function changeSetting<K extends keyof SystemSettings>(
  tx: Tx,
  key: K,
  value: SystemSettings[K],
  by: string | null,
): Promise<void> {
  const checked = settingsSchema.shape[key].parse(value)
  await tx
    .insert(setting)
    .values({ key, value: checked, updatedBy: by })
    .onConflictDoUpdate({
      target: setting.key,
      set: { value: checked, updatedBy: by, updatedAt: sql`now()` },
    })
  await tx.execute(sql`select pg_notify(${SETTINGS_CHANNEL}, '')`)
}
