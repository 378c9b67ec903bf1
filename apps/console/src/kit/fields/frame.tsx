import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { useField, type FieldHandle } from '../form/context.ts'

/** What every field can be told. */
export interface FieldProps {
  name: string
  label?: string
  help?: ReactNode
  placeholder?: string
  disabled?: boolean
  /** Stays left-to-right inside right-to-left text. */
  ltr?: boolean
  autoFocus?: boolean
}

/** The id of a field's error text. */
export const errorId = (id: string) => `${id}-error`
/** The id of a field's help text. */
export const helpId = (id: string) => `${id}-help`

/** Where the words about a control stand; a group of controls may say no more than that. */
function describedByIds(field: FieldHandle, help: ReactNode): { 'aria-describedby'?: string } {
  const ids = [help ? helpId(field.id) : '', field.error ? errorId(field.id) : ''].filter(Boolean).join(' ')
  return ids ? { 'aria-describedby': ids } : {}
}

/** What a control says of itself to assistive programs. */
export function describedBy(field: FieldHandle, help: ReactNode): Record<string, string | boolean> {
  return {
    ...describedByIds(field, help),
    ...(field.error ? { 'aria-invalid': true } : {}),
    ...(field.info.required ? { 'aria-required': true } : {}),
  }
}

/** What every control of a field is told. */
export function controlOf(field: FieldHandle, props: FieldProps, help: ReactNode = props.help ?? field.help) {
  return {
    id: field.id,
    onBlur: field.leave,
    error: Boolean(field.error),
    disabled: field.disabled || Boolean(props.disabled),
    placeholder: props.placeholder ?? field.placeholder ?? '',
    ...describedBy(field, help),
  }
}

/** Label above, help and error below; for a control of your own, whose id must be that of `useField`. */
export function FieldFrame(props: {
  name: string
  label?: string | undefined
  help?: ReactNode
  children: ReactNode
  /** The control is a group of others, not one that a label can point to. */
  group?: boolean
}) {
  const field = useField(props.name)
  const help = props.help ?? field.help
  const labelId = `${field.id}-label`
  return (
    <div
      {...(props.group
        ? {
            role: 'group',
            'aria-labelledby': labelId,
            id: field.id,
            tabIndex: -1,
            ...describedByIds(field, help),
          }
        : {})}
    >
      <Input.Label
        id={labelId}
        required={field.info.required}
        labelElement={props.group ? 'div' : 'label'}
        {...(props.group ? {} : { htmlFor: field.id })}
        display="block"
        mb={4}
      >
        {props.label ?? field.label}
      </Input.Label>
      {props.children}
      {help && (
        <Input.Description id={helpId(field.id)} mt={4}>
          {help}
        </Input.Description>
      )}
      {field.error && (
        <Input.Error id={errorId(field.id)} mt={4}>
          {field.error}
        </Input.Error>
      )}
    </div>
  )
}
