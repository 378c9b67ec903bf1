import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import type { ValueType } from '@weft/workflow/document'
import type { Json } from '@weft/workflow/json'
import { useT } from '../../text.ts'

/** A value of an input or a variable, such as what it begins with, in a control of its type. */
export function DefaultValue(props: {
  type: ValueType
  value: Json | undefined
  onChange: (value: Json | undefined) => void
  /** What it is called, where it is not the value to begin with. */
  label?: string
  help?: string
  error?: string
  required?: boolean
  disabled?: boolean
  /** What counts while it is empty. */
  fallback?: Json | undefined
}) {
  const t = useT()
  const { type, value, onChange, fallback, help, error, required, disabled = false } = props
  const common = {
    label: props.label ?? t('data.default'),
    disabled,
    ...(help === undefined ? {} : { description: help }),
    ...(error === undefined ? {} : { error }),
    ...(required === undefined ? {} : { required }),
    ...(fallback === undefined || fallback === null ? {} : { placeholder: entryText(fallback) }),
  }
  switch (type) {
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      )
    case 'boolean':
      return (
        <Select
          {...common}
          {...(typeof fallback === 'boolean' ? { placeholder: t(fallback ? 'data.true' : 'data.false') } : {})}
          clearable
          value={typeof value === 'boolean' ? String(value) : null}
          data={[
            { value: 'true', label: t('data.true') },
            { value: 'false', label: t('data.false') },
          ]}
          onChange={(next) => onChange(next === null ? undefined : next === 'true')}
        />
      )
    case 'list':
      return (
        <TagsInput
          description={t('data.listHelp')}
          {...common}
          value={Array.isArray(value) ? value.map(entryText) : []}
          onChange={(next) => onChange(next.length > 0 ? next : undefined)}
        />
      )
    case 'text':
      return (
        <TextInput
          {...common}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      )
  }
}

const entryText = (entry: Json) => (typeof entry === 'string' ? entry : JSON.stringify(entry))
