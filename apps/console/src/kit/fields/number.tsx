import { NumberInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useField } from '../form/context.ts'
import { FieldFrame, controlOf, type FieldProps } from './frame.tsx'

/** A number within the limits of the schema; emptied it is null where the schema takes that. */
export function NumberField(props: FieldProps & { suffix?: string; step?: number; leftSection?: ReactNode }) {
  const field = useField(props.name)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <NumberInput
        {...controlOf(field, props)}
        name={props.name}
        value={typeof field.value === 'number' || typeof field.value === 'string' ? field.value : ''}
        onChange={(value) => field.set(value === '' ? (field.info.nullable ? null : undefined) : value)}
        // Beyond the limits the field says so; a value that changes by itself would be a surprise.
        clampBehavior="none"
        allowDecimal={!field.info.integer}
        allowNegative={field.info.min === undefined || field.info.min < 0}
        min={field.info.min}
        max={field.info.max}
        suffix={props.suffix}
        step={props.step ?? 1}
      />
    </FieldFrame>
  )
}
