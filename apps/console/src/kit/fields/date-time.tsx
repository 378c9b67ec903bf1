import { TextInput } from '@mantine/core'
import { useField } from '../form/context.ts'
import { FieldFrame, controlOf, type FieldProps } from './frame.tsx'

/** A moment as the browser's date-and-time control writes it, in the person's zone. */
export function toLocalInput(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The moment that a date-and-time control gives, as the contract writes it; null for none. */
export function fromLocalInput(value: string): string | null {
  const at = new Date(value)
  return value === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** A date and a time, in the zone of the person, which is named beneath. */
export function DateTimeField(props: FieldProps) {
  const field = useField(props.name)
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const help = props.help ?? field.help ?? zone
  return (
    <FieldFrame name={props.name} label={props.label} help={help}>
      <TextInput
        {...controlOf(field, props, help)}
        type="datetime-local"
        value={typeof field.value === 'string' ? toLocalInput(field.value) : ''}
        onChange={(event) => {
          const next = fromLocalInput(event.currentTarget.value)
          field.set(next ?? (field.info.nullable ? null : undefined))
        }}
      />
    </FieldFrame>
  )
}
