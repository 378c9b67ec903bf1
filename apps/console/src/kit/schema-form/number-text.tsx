import type { Json } from '@weft/workflow/json'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import type { PreviewOf, ScopeValue } from './types.ts'
import { TemplateInput } from './template-input.tsx'
import { typedNumber } from './values.ts'

/** A number, or where it may be, a template that gives one. Half-typed numbers stay as they were typed. */
export function NumberText(props: {
  id: string
  value: Json | undefined
  fallback: Json | undefined
  onChange: (value: Json | undefined) => void
  dynamic: boolean
  suffix: string | undefined
  min: number | undefined
  max: number | undefined
  scope: readonly ScopeValue[]
  preview?: PreviewOf | undefined
  disabled?: boolean
}) {
  const t = useKitText()
  const { value, fallback, onChange, dynamic, suffix, min, max, scope, preview, ...control } = props
  const [typed, setTyped] = useState<string | null>(null)
  const stored = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const shown = typed !== null && typedNumber(typed, dynamic) === value ? typed : stored
  const change = (next: string) => {
    setTyped(next)
    onChange(typedNumber(next, dynamic))
  }
  const limits = min !== undefined && max !== undefined ? `${min} – ${max}` : ''
  const placeholder =
    fallback === undefined || fallback === null || typeof fallback === 'object' ? limits : String(fallback)
  if (!dynamic)
    return (
      <TextInput
        {...control}
        dir="ltr"
        inputMode="decimal"
        value={shown}
        placeholder={placeholder}
        onChange={(event) => change(event.currentTarget.value)}
        rightSection={suffix}
      />
    )
  return (
    <TemplateInput
      {...control}
      kind="code"
      multiline={false}
      value={shown}
      placeholder={placeholder || t('schema.dynamicNumber')}
      scope={scope}
      preview={preview}
      onChange={change}
    />
  )
}
