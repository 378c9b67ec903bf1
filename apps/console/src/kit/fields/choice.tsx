import { MultiSelect, SegmentedControl, Select, Switch } from '@mantine/core'
import { fieldText, optionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useField, useFormScope, type FieldHandle } from '../form/context.ts'
import { FieldFrame, controlOf, type FieldProps } from './frame.tsx'

/** A choice by value and words. */
export interface Choice {
  value: string
  label: string
}

type ChoiceProps = FieldProps & {
  /** By default those of the schema. */
  options?: readonly (string | Choice)[]
  /** Whose words the options have, where it is not this field. */
  field?: string
  searchable?: boolean
}

function useChoices(field: FieldHandle, props: ChoiceProps): Choice[] {
  const { store } = useFormScope()
  const options = props.options ?? field.info.options ?? []
  const words = props.field ?? props.name
  return options.map((option) =>
    typeof option === 'string' ? { value: option, label: optionLabel(store.feature, words, option) } : option,
  )
}

/** One of a few words. */
export function SelectField(props: ChoiceProps & { clearable?: boolean }) {
  const t = useKitText()
  const field = useField(props.name)
  const data = useChoices(field, props)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <Select
        {...controlOf(field, props)}
        data={data}
        value={typeof field.value === 'string' ? field.value : null}
        onChange={(value) => field.set(value ?? (field.info.nullable ? null : undefined))}
        searchable={props.searchable ?? data.length > 12}
        clearable={props.clearable ?? !field.info.required}
        clearButtonProps={{ 'aria-label': t('common.clear') }}
        nothingFoundMessage={t('form.nothingFound')}
        aria-label={props.label ?? field.label}
      />
    </FieldFrame>
  )
}

/** One of two to four words, all in sight. */
export function SegmentField(props: ChoiceProps) {
  const field = useField(props.name)
  const data = useChoices(field, props)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help} group>
      <SegmentedControl
        data={data}
        value={typeof field.value === 'string' ? field.value : ''}
        onChange={field.set}
        disabled={field.disabled || Boolean(props.disabled)}
      />
    </FieldFrame>
  )
}

/** Several of a few words. */
export function MultiSelectField(props: ChoiceProps) {
  const t = useKitText()
  const field = useField(props.name)
  const data = useChoices(field, props)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <MultiSelect
        {...controlOf(field, props)}
        data={data}
        value={textsIn(field.value)}
        onChange={field.set}
        searchable={props.searchable ?? data.length > 8}
        clearable
        clearButtonProps={{ 'aria-label': t('common.clear') }}
        nothingFoundMessage={t('form.nothingFound')}
        aria-label={props.label ?? field.label}
      />
    </FieldFrame>
  )
}

/** Yes or no. */
export function SwitchField(props: FieldProps) {
  const field = useField(props.name)
  const { store } = useFormScope()
  const help = props.help ?? fieldText('help', store.feature, props.name)
  return (
    <Switch
      id={field.id}
      label={props.label ?? field.label}
      checked={field.value === true}
      onChange={(event) => field.set(event.currentTarget.checked)}
      onBlur={field.leave}
      disabled={field.disabled || Boolean(props.disabled)}
      description={help}
      error={field.error}
    />
  )
}

/** The texts of a value that should be a list of them. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
