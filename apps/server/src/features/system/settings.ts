import { sql } from 'drizzle-orm'
import { SYSTEM_RUNNING } from '@weft/contract/system/schema'
import {
  settingsSchema,
  type MaintenancePlan,
  type SettingKey,
  type SettingValues,
} from '@weft/contract/system/settings'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../kit/context.ts'
import type { SystemState } from '../../kit/deps.ts'
import { setting } from './table.ts'

/** The channel on which every process hears that a setting changed. */
export const SETTINGS_CHANNEL = 'weft_settings'
const HELD_MS = 5_000

/** The installation's settings, read from the database and held for five seconds or until a notice. */
export class HeldSettings implements SystemState {
  readonly #db: Db
  readonly #now: () => Date
  #held: { settings: SettingValues; until: number } | undefined
  #forgotten = 0

  constructor(db: Db, now: () => Date = () => new Date()) {
    this.#db = db
    this.#now = now
  }

  forget(): void {
    this.#forgotten += 1
    this.#held = undefined
  }

  async status(): Promise<number> {
    return (await this.all()).systemStatus
  }

  async takesNewRuns(): Promise<boolean> {
    const { systemStatus, maintenancePlan } = await this.all()
    return systemStatus === SYSTEM_RUNNING && !isDraining(maintenancePlan, this.#now())
  }

  /** Every setting; one that was not changed has its default. */
  async all(): Promise<SettingValues> {
    if (this.#held && this.#held.until > performance.now()) return this.#held.settings
    const forgotten = this.#forgotten
    const settings = await readSettings(this.#db)
    // What was read before a change, and came after the notice of it, must not be held.
    if (forgotten === this.#forgotten) this.#held = { settings, until: performance.now() + HELD_MS }
    return settings
  }
}

/** Whether a planned maintenance keeps new runs from beginning. */
export function isDraining(plan: MaintenancePlan | null, now: Date): boolean {
  return plan !== null && Date.parse(plan.drainFrom) <= now.getTime()
}

/** Every setting as this transaction sees it. */
export async function readSettings(tx: Tx): Promise<SettingValues> {
  const rows = await tx.select({ key: setting.key, value: setting.value }).from(setting)
  return settingsFrom(rows)
}

/**
 * Settings out of their stored values. One that is not valid any more, as after a change of its bounds, is its default:
 * no stored value may keep the server from starting.
 */
export function settingsFrom(rows: readonly { key: string; value: unknown }[]): SettingValues {
  const stored = Object.fromEntries(
    rows.filter(({ value }) => value !== null).map(({ key, value }) => [key, value]),
  )
  const whole = settingsSchema.safeParse(stored)
  if (whole.success) return whole.data
  const wrong = new Set(whole.error.issues.map(({ path }) => path[0]))
  return settingsSchema.parse(Object.fromEntries(Object.entries(stored).filter(([key]) => !wrong.has(key))))
}

/** Changes one setting, or sets it back with null; every process knows within moments of the commit. */
export async function changeSetting<K extends SettingKey>(
  tx: Tx,
  key: K,
  value: SettingValues[K] | null,
  by: string | null,
): Promise<void> {
  const checked = value === null ? null : settingsSchema.shape[key].parse(value)
  await tx
    .insert(setting)
    .values({ key, value: checked, updatedBy: by })
    .onConflictDoUpdate({
      target: setting.key,
      set: {
        value: checked,
        updatedBy: by,
        updatedAt: sql`now()`,
        version: sql`${setting.version} + 1`,
      },
    })
  await tx.execute(sql`select pg_notify(${SETTINGS_CHANNEL}, '')`)
}

/**
 * A whole number among the settings, to stand in a statement of its own: what is asked at every sign-in costs no further
 * round trip.
 */
export function settingInSql(key: SettingKey) {
  const fallback = settingsSchema.shape[key].parse(undefined)
  return sql`coalesce((select (value #>> '{}')::int from setting where key = ${key}), ${fallback}::int)`
}
