import { NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { SETTING_FORMS, settingsSchema, type SettingKey } from '@weft/contract/system/settings'
import { fieldInfo } from '../../../kit/form/schema-info.ts'
import { LANGUAGES } from '../../../lib/i18n/languages.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'

/** The control by which a setting is changed. */
export function SettingControl(props: {
  setting: SettingKey
  value: unknown
  onChange: (value: unknown) => void
  labelId: string
  describedBy: string
  invalid: boolean
}) {
  const t = useT()
  const kit = useKitText()
  const { setting, value, onChange } = props
  const { kind, unit } = SETTING_FORMS[setting]
  const info = fieldInfo(settingsSchema, setting)
  const common = {
    id: `setting-${setting}`,
    error: props.invalid,
    'aria-labelledby': props.labelId,
    'aria-describedby': props.describedBy,
  }
  if (kind === 'flag')
    return (
      <Switch
        id={common.id}
        aria-labelledby={props.labelId}
        aria-describedby={props.describedBy}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
        label={value === true ? t('settings.on') : t('settings.off')}
      />
    )
  if (kind === 'number')
    return (
      <NumberInput
        {...common}
        value={typeof value === 'number' || typeof value === 'string' ? value : ''}
        onChange={onChange}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        {...(info.min === undefined ? {} : { min: info.min })}
        {...(info.max === undefined ? {} : { max: info.max })}
        {...(unit ? { suffix: ` ${t(`settings.units.${unit}`)}` } : {})}
      />
    )
  if (kind === 'language')
    return (
      <Select
        {...common}
        data={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
        allowDeselect={false}
      />
    )
  if (kind === 'timeZone')
    return (
      <Select
        {...common}
        data={Intl.supportedValuesOf('timeZone')}
        value={typeof value === 'string' ? value : null}
        onChange={onChange}
        placeholder={t('settings.noTimeZone')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': kit('common.clear') }}
        nothingFoundMessage={kit('form.nothingFound')}
        limit={60}
      />
    )
  return (
    <TextInput
      {...common}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      className={setting === 'googleReCaptchaKey' ? 'ltr' : ''}
    />
  )
}
