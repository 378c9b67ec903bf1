import { PasswordInput } from '@mantine/core'
import type { Failure } from '../../lib/failure.ts'
import { fieldErrorText } from '../../lib/i18n/names.ts'
import { useAppText } from '../../lib/i18n/texts.ts'

const SHORTEST_PASSWORD = 8

/** A password that is chosen, typed twice. */
export interface ChosenPassword {
  first: string
  again: string
}

/** Whether the two say the same thing, and enough of it. */
export function isChosen({ first, again }: ChosenPassword): boolean {
  return first.length >= SHORTEST_PASSWORD && first === again
}

/** The two fields of a new password; what is wrong is said once somebody has tried. */
export function NewPasswordFields(props: {
  value: ChosenPassword
  onChange: (value: ChosenPassword) => void
  tried: boolean
  failure: Failure | null
  labels: { first: string; again: string }
  /** The name that the server gives the first field. */
  field: string
  autoFocus?: boolean
}) {
  const t = useAppText()
  const { value, tried, failure } = props
  const found = failure?.body.errors?.find(({ path }) => path === props.field)
  const ofServer = found && fieldErrorText(found.code, found.params, found.message)
  const tooShort = tried && value.first.length < SHORTEST_PASSWORD
  const different = tried && value.first !== value.again
  const shared = {
    autoComplete: 'new-password',
    dir: 'ltr' as const,
    required: true,
    withAsterisk: false,
    maxLength: 256,
    visibilityToggleButtonProps: { 'aria-label': t('signIn.showPassword') },
  }
  return (
    <>
      <PasswordInput
        {...shared}
        label={props.labels.first}
        description={t('setUp.passwordHelp')}
        name="password"
        autoFocus={props.autoFocus ?? false}
        value={value.first}
        error={tooShort ? fieldErrorText('too_short', { minimum: SHORTEST_PASSWORD }) : ofServer}
        // The kit marks only the frame of a password field as wrong.
        aria-invalid={tooShort || Boolean(ofServer)}
        onChange={(event) => props.onChange({ ...value, first: event.currentTarget.value })}
      />
      <PasswordInput
        {...shared}
        label={props.labels.again}
        name="confirm"
        value={value.again}
        error={different ? t('setUp.different') : undefined}
        aria-invalid={different}
        onChange={(event) => props.onChange({ ...value, again: event.currentTarget.value })}
      />
    </>
  )
}
