import { TextInput } from '@mantine/core'
import { latinDigits } from './digits.ts'
import classes from './two-steps.module.css'

const LENGTH = 6

/** Six digits of an authenticator app; sent as soon as the last is there. */
export function CodeInput(props: {
  label: string
  value: string
  onChange: (value: string) => void
  onComplete: (value: string) => void
  error: string | null
  autoFocus?: boolean
}) {
  return (
    <TextInput
      label={props.label}
      name="code"
      classNames={{ input: classes.code ?? '' }}
      autoComplete="one-time-code"
      inputMode="numeric"
      pattern="[0-9]*"
      dir="ltr"
      required
      withAsterisk={false}
      autoFocus={props.autoFocus ?? false}
      value={props.value}
      error={props.error}
      onChange={(event) => {
        const digits = latinDigits(event.currentTarget.value).replaceAll(/\D/g, '').slice(0, LENGTH)
        props.onChange(digits)
        if (digits.length === LENGTH && props.value.length < LENGTH) props.onComplete(digits)
      }}
    />
  )
}
