import { inArray, sql } from 'drizzle-orm'
import type { FieldError } from '@weft/contract/core/errors'
import type { system } from '@weft/contract/system/api'
import {
  SETTING_DEFAULTS,
  SETTING_FORMS,
  SETTING_KEYS,
  settingsSchema,
  type Setting,
  type SettingKey,
  type SettingValues,
} from '@weft/contract/system/settings'
import { AppError } from '../../kit/app-error.ts'
import type { CallContext, Tx } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import type { Implementation } from '../../kit/implement.ts'
import { fieldErrors } from '../../kit/parse.ts'
import { iso } from '../../kit/record.ts'
import { requireProof } from '../access/proof.ts'
import { administratorsHaveSso } from '../access/sso/way-in.ts'
import { appUser } from '../access/table.ts'
import { changeSetting, readSettings, settingsFrom } from './settings.ts'
import { setting } from './table.ts'

type Change = { key: SettingKey; value: unknown; version: number }

/** Reading and changing the settings. */
export function settingHandlers({
  now,
  system: held,
}: Pick<Deps, 'now' | 'system'>): Pick<Implementation<typeof system>, 'settings' | 'saveSettings'> {
  return {
    settings: async (ctx) => listAnswer(await listSettings(ctx.tx)),

    async saveSettings(ctx, { changes }) {
      if (changes.some(({ key }) => SETTING_FORMS[key].sensitive)) await requireProof(ctx, now())
      check(changes)
      await checkVersions(ctx.tx, changes)
      const before = await readSettings(ctx.tx)
      for (const change of changes) await apply(ctx.tx, change, ctx.user.id)
      const after = await readSettings(ctx.tx)
      if (before.localSignIn && !after.localSignIn && !(await administratorsHaveSso(ctx.tx)))
        throw new AppError('system.would_lock_out')
      ctx.afterCommit(() => held.forget())
      tellChanges(ctx, before, after, changes)
      return listAnswer(await listSettings(ctx.tx))
    },
  }
}

/** Every setting, in the order of the contract, with who changed it last. */
async function listSettings(tx: Tx): Promise<Setting[]> {
  const rows = await tx
    .select({ setting, by: { id: appUser.id, name: appUser.displayName } })
    .from(setting)
    .leftJoin(appUser, sql`${appUser.id} = ${setting.updatedBy}`)
  const values = settingsFrom(rows.map((row) => row.setting))
  const stored = new Map(rows.map((row) => [row.setting.key, row]))
  return SETTING_KEYS.map((key) => {
    const row = stored.get(key)
    return {
      key,
      value: values[key],
      default: SETTING_DEFAULTS[key],
      version: row?.setting.version ?? 0,
      changedAt: row ? iso(row.setting.updatedAt) : null,
      changedBy: row?.by ?? null,
    }
  })
}

const listAnswer = (data: Setting[]) => ({ data, totalPage: 1, totalRecord: data.length })

/** Every wrong value, each under its setting's name. */
function check(changes: readonly Change[]): void {
  const errors = changes.flatMap(({ key, value }, at): FieldError[] => {
    if (changes.findIndex((other) => other.key === key) !== at)
      return [{ path: key, code: 'invalid', message: 'Named twice' }]
    if (value === null) return []
    if (value === undefined) return [{ path: key, code: 'required', message: 'Required' }]
    const parsed = settingsSchema.shape[key].safeParse(value)
    if (parsed.success) return []
    return fieldErrors(parsed.error, value).map((error) => ({ ...error, path: key }))
  })
  if (errors.length > 0) throw new AppError('request.invalid', {}, { errors })
}

/** Refuses a change of what somebody else changed in the meantime. Locked, so that of two at once one is refused. */
async function checkVersions(tx: Tx, changes: readonly Change[]): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('settings'))`)
  const rows = await tx
    .select({ key: setting.key, version: setting.version })
    .from(setting)
    .where(
      inArray(
        setting.key,
        changes.map(({ key }) => key),
      ),
    )
  const versions = new Map(rows.map((row) => [row.key, row.version]))
  if (changes.every(({ key, version }) => (versions.get(key) ?? 0) === version)) return
  throw new AppError('record.stale', {}, { current: await listSettings(tx) })
}

async function apply(tx: Tx, { key, value }: Change, by: string): Promise<void> {
  const checked = value === null ? null : settingsSchema.shape[key].parse(value)
  await changeSetting(tx, key, checked, by)
}

/** Writes into the audit log what is other than before, and has all pages read the configuration anew. */
export function tellChanges(
  ctx: Pick<CallContext, 'audit' | 'event'>,
  before: SettingValues,
  after: SettingValues,
  of: readonly { key: SettingKey }[],
): void {
  const only = (values: SettingValues) => Object.fromEntries(of.map(({ key }) => [key, values[key]]))
  ctx.audit({ feature: 'system', recordId: null, before: only(before), after: only(after) })
  ctx.event({ feature: 'system', id: 'config', kind: 'updated' })
}
