import type { Setting, SettingKey } from '@weft/contract/system/settings'

/** What somebody typed over a setting, and the version that they saw. Null sets it back. */
export interface Edit {
  value: unknown
  version: number
}
export type Edits = Readonly<Partial<Record<SettingKey, Edit>>>

/** Notes a value; one that is the stored one again is no edit. The version stays that of the first look. */
export function edited(edits: Edits, setting: Setting, value: unknown): Edits {
  const { [setting.key]: old, ...others } = edits
  if (same(value, setting.value)) return others
  return { ...others, [setting.key]: { value, version: old?.version ?? setting.version } }
}

/** Whether somebody else changed a setting while it was being edited. */
export function isOvertaken(edit: Edit | undefined, setting: Setting): boolean {
  return edit !== undefined && edit.version !== setting.version
}

/** The value that a setting's control shows. */
export function shownValue(edit: Edit | undefined, setting: Setting): unknown {
  if (!edit) return setting.value
  return edit.value === null && setting.default !== null ? setting.default : edit.value
}

/** Whether a setting, as it is shown, is its default. */
export function isDefault(edit: Edit | undefined, setting: Setting): boolean {
  return same(shownValue(edit, setting), setting.default)
}

/** The edits as the call wants them; what equals the default is set back. */
export function changesOf(
  edits: Edits,
  settings: readonly Setting[],
): { key: SettingKey; value: unknown; version: number }[] {
  return settings.flatMap((setting) => {
    const edit = edits[setting.key]
    if (!edit) return []
    return [
      {
        key: setting.key,
        value: same(edit.value, setting.default) ? null : edit.value,
        version: edit.version,
      },
    ]
  })
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
