import { Button, Input } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { SETTING_FORMS, type Setting } from '@weft/contract/system/settings'
import { Time } from '../../../kit/values/values.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { fieldErrorText } from '../../../lib/i18n/names.ts'
import { languageOf } from '../../../lib/i18n/languages.ts'
import type { FormError } from '../../../kit/form/schema-info.ts'
import { useT } from '../text.ts'
import { SettingControl } from './control.tsx'
import { isDefault, isOvertaken, shownValue, type Edit } from './edits.ts'
import classes from './settings.module.css'

/** One setting: what it is for, its control, its default, and who changed it last. */
export function SettingRow(props: {
  setting: Setting
  edit: Edit | undefined
  error: FormError | undefined
  onChange: (value: unknown) => void
  onTakeTheirs: () => void
  onKeepMine: () => void
}) {
  const t = useT()
  const words = useValueWords()
  const { setting, edit, error } = props
  const { key } = setting
  const labelId = `setting-${key}-label`
  const noteId = `setting-${key}-note`
  const overtaken = isOvertaken(edit, setting)
  return (
    <div className={classes.row} data-edited={edit !== undefined || undefined}>
      <div className={classes.words}>
        <label id={labelId} className={classes.label} htmlFor={`setting-${key}`}>
          {t(`fields.${key}`)}
        </label>
        <p className={classes.help}>{t(`help.${key}`)}</p>
      </div>
      <div className={classes.control}>
        <SettingControl
          setting={key}
          value={shownValue(edit, setting)}
          onChange={props.onChange}
          labelId={labelId}
          describedBy={noteId}
          invalid={error !== undefined}
        />
        {error && <Input.Error mt={4}>{fieldErrorText(error.code, error.params, error.message)}</Input.Error>}
        <p id={noteId} className={classes.note}>
          <span>{t('settings.default', { value: words(setting, setting.default) })}</span>
          {setting.changedAt && (
            <span>
              <bdi>
                {setting.changedBy
                  ? t('settings.changedBy', { name: setting.changedBy.name })
                  : t('settings.changed')}
              </bdi>{' '}
              <Time at={setting.changedAt} />
            </span>
          )}
          {!isDefault(edit, setting) && (
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconArrowBackUp size={14} className="flip-rtl" aria-hidden />}
              onClick={() => props.onChange(null)}
              aria-label={t('settings.setBackOne', { name: t(`fields.${key}`) })}
            >
              {t('settings.setBack')}
            </Button>
          )}
        </p>
        {overtaken && (
          <div className={classes.overtaken} role="alert">
            <span>{t('settings.overtaken', { value: words(setting, setting.value) })}</span>
            <Button size="compact-xs" variant="default" onClick={props.onTakeTheirs}>
              {t('settings.takeTheirs')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={props.onKeepMine}>
              {t('settings.keepMine')}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

/** A setting's value in words. */
function useValueWords() {
  const t = useT()
  const formats = useFormats()
  return ({ key }: Setting, value: unknown): string => {
    const { kind, unit } = SETTING_FORMS[key]
    if (typeof value === 'boolean') return value ? t('settings.on') : t('settings.off')
    if (typeof value === 'number')
      return unit ? `${formats.number(value)} ${t(`settings.units.${unit}`)}` : formats.number(value)
    if (kind === 'timeZone' && value === null) return t('settings.noTimeZone')
    if (kind === 'language') return languageOf(value).name
    return typeof value === 'string' && value !== '' ? value : t('settings.none')
  }
}
