import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import type { ValueType } from '@weft/workflow/document'
import type { Json } from '@weft/workflow/json'
import { useT } from '../../text.ts'

/** What an input or a variable begins with, in a control of its type. */
export function DefaultValue(props: {
  type: ValueType
  value: Json | undefined
  onChange: (value: Json | undefined) => void
}) {
  const t = useT()
  const { type, value, onChange } = props
  const label = t('data.default')
  switch (type) {
    case 'number':
      return (
        <NumberInput
          label={label}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      )
    case 'boolean':
      return (
        <Select
          label={label}
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
          label={label}
          description={t('data.listHelp')}
          value={Array.isArray(value) ? value.map(entryText) : []}
          onChange={(next) => onChange(next.length > 0 ? next : undefined)}
        />
      )
    case 'text':
      return (
        <TextInput
          label={label}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      )
  }
}

const entryText = (entry: Json) => (typeof entry === 'string' ? entry : JSON.stringify(entry))
