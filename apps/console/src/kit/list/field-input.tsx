import { NumberInput, Select, TextInput } from '@mantine/core'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { GrowingText } from '../fields/growing-text.tsx'
import { optionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { fromLocalInput, toLocalInput } from '../fields/date-time.tsx'
import { TagsBox } from '../fields/tags-box.tsx'
import { RecordPicker } from '../fields/record-picker.tsx'
import type { ListField } from './fields.ts'

/** The box around the tags shows the focus; its inner field needs not. */
export const PLAIN_FIELD = { inputField: { outline: 'none' } } as const

/** The input of a field that is set outside of a form: in place, or for many at once. */
export function FieldInput(props: {
  feature: string
  /** Names the tags that there are already. */
  tags?: Endpoint | undefined
  field: ListField
  label: string
  value: unknown
  onChange: (value: unknown) => void
  /** Enter, where it does not belong to the input. */
  onEnter?: () => void
  error?: string | undefined
  /** The label stands beside it already. */
  bare?: boolean
  /** It stands in a small window, which a click beside it closes: what it offers is shown within. */
  inPopup?: boolean
}) {
  const t = useKitText()
  const { field, value, onChange } = props
  const common = {
    size: 'xs',
    ...(props.bare ? { 'aria-label': props.label } : { label: props.label }),
    ...(props.error === undefined ? {} : { error: props.error }),
    'data-autofocus': true,
  } as const
  const comboboxProps = { withinPortal: props.inPopup !== true }
  const words = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  switch (field.kind) {
    case 'notes':
      return (
        <GrowingText
          {...common}
          minRows={3}
          maxRows={12}
          value={words}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) props.onEnter?.()
          }}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...common}
          value={words}
          onChange={(next) => onChange(next === '' ? null : Number(next))}
          onKeyDown={(event) => {
            if (event.key === 'Enter') props.onEnter?.()
          }}
        />
      )
    case 'tags':
      return (
        <TagsBox
          {...common}
          from={props.tags}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={onChange}
          maxTags={30}
          styles={PLAIN_FIELD}
          comboboxProps={comboboxProps}
        />
      )
    case 'option':
      return (
        <Select
          {...common}
          data={field.options.map((option) => ({
            value: option,
            label: optionLabel(props.feature, field.wordsOf ?? field.name, option),
          }))}
          value={words || null}
          onChange={(next) => onChange(next)}
          clearable={field.clearable === true}
          clearButtonProps={{ 'aria-label': t('common.clear') }}
          comboboxProps={comboboxProps}
        />
      )
    case 'record':
      return (
        <RecordPicker
          source={field.source}
          label={props.label}
          value={words || null}
          onChange={(id) => onChange(id)}
          clearable={field.clearable === true}
          inPopup={props.inPopup === true}
        />
      )
    case 'dateTime':
      return (
        <TextInput
          {...common}
          type="datetime-local"
          description={new Intl.DateTimeFormat().resolvedOptions().timeZone}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={toLocalInput(words)}
          onChange={(event) => onChange(fromLocalInput(event.currentTarget.value))}
          onKeyDown={(event) => {
            if (event.key === 'Enter') props.onEnter?.()
          }}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          {...(field.kind === 'ltr' ? { dir: 'ltr' } : {})}
          value={words}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') props.onEnter?.()
          }}
        />
      )
  }
}

/** The value as a call takes it: what may be empty is null. */
export function valueToSend(field: ListField, value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return field.kind === 'notes' ? '' : null
  return typeof value === 'string' ? value.trim() : value
}
