import { ActionIcon, Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { IconBackspace } from '@tabler/icons-react'
import { GrowingText } from './growing-text.tsx'
import { useKitText } from '../../lib/i18n/texts.ts'
import { emptied, useField, useFormScope, useSecretPath } from '../form/context.ts'
import { FieldFrame, controlOf, type FieldProps } from './frame.tsx'

function useTextField(props: FieldProps) {
  const field = useField(props.name)
  const { infoSchema } = useFormScope()
  return {
    field,
    control: {
      ...controlOf(field, props),
      name: props.name,
      value: typeof field.value === 'string' || typeof field.value === 'number' ? String(field.value) : '',
      onChange: (event: { currentTarget: { value: string } }) => {
        const { value } = event.currentTarget
        field.set(value === '' ? emptied(infoSchema, props.name) : value)
      },
      autoFocus: props.autoFocus,
      ...(props.ltr ? { dir: 'ltr' as const } : {}),
    },
  }
}

/** One line of text. */
export function TextField(
  props: FieldProps & { type?: 'text' | 'email' | 'url' | 'tel'; autoComplete?: string },
) {
  const { control } = useTextField(props)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <TextInput {...control} type={props.type ?? 'text'} autoComplete={props.autoComplete ?? 'off'} />
    </FieldFrame>
  )
}

/** Several lines of text; it grows with them. */
export function TextareaField(props: FieldProps & { rows?: number; mono?: boolean }) {
  const { control } = useTextField(props)
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <GrowingText
        {...control}
        minRows={props.rows ?? 3}
        maxRows={20}
        {...(props.mono ? { styles: { input: { fontFamily: 'var(--font-mono)' } } } : {})}
      />
    </FieldFrame>
  )
}

/**
 * A secret that the server never shows: of an existing record it says that one is set, and left empty it stays. What is
 * typed is never kept in a draft.
 */
export function SecretField(props: FieldProps) {
  const t = useKitText()
  useSecretPath(props.name)
  const { field, control } = useTextField(props)
  const { record } = useFormScope()
  const state = record?.[props.name]
  const isSet = state !== null && typeof state === 'object' && 'set' in state && state.set === true
  const cleared = field.value === null && isSet
  return (
    <FieldFrame name={props.name} label={props.label} help={props.help}>
      <Group gap={8} wrap="nowrap" align="flex-start">
        <PasswordInput
          {...control}
          flex={1}
          dir="ltr"
          autoComplete="new-password"
          aria-invalid={control.error}
          placeholder={cleared ? t('form.secretCleared') : isSet ? t('form.secretKeep') : control.placeholder}
          onChange={(event) =>
            field.set(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
          }
          visibilityToggleButtonProps={{ 'aria-label': t('form.secretShow') }}
        />
        {isSet && !cleared && field.info.nullable && (
          <ActionIcon
            size={36}
            variant="default"
            aria-label={t('form.secretClear')}
            disabled={control.disabled}
            onClick={() => field.set(null)}
          >
            <IconBackspace size={16} className="flip-rtl" />
          </ActionIcon>
        )}
        {cleared && (
          <Button variant="default" disabled={control.disabled} onClick={() => field.set(undefined)}>
            {t('common.cancel')}
          </Button>
        )}
      </Group>
    </FieldFrame>
  )
}
