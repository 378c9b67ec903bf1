import { Button, NumberInput, PasswordInput, Select, TagsInput, TextInput } from '@mantine/core'
import { GrowingText } from '../../../kit/fields/growing-text.tsx'
import { useField, useFieldValue, useFormScope, useSecretPath } from '../../../kit/form/context.ts'
import { readable, useKitText } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import classes from './editor.module.css'
import { defaultText, leftOver, type ReleaseInput } from './inputs.ts'

const LONG = 80

/** A field per input of the release, by its type. */
export function InputsForm({ inputs, disabled }: { inputs: readonly ReleaseInput[]; disabled: boolean }) {
  const t = useT()
  const values = useFieldValue('inputs')
  const { store } = useFormScope()
  const strays = leftOver(values, inputs)
  return (
    <div className={classes.stack}>
      {inputs.length === 0 && <p className={classes.dim}>{t('inputs.none')}</p>}
      {inputs.map((input) => (
        <InputField key={input.name} input={input} disabled={disabled} />
      ))}
      {strays.length > 0 && (
        <div className={classes.notice} data-tone="amber">
          <span>{t('inputs.leftOver', { names: strays.join(', ') })}</span>
          {!disabled && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                const kept = Object.entries(Object(values)).filter(([name]) => !strays.includes(name))
                store.set('inputs', Object.fromEntries(kept))
              }}
            >
              {t('inputs.forget')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function InputField({ input, disabled }: { input: ReleaseInput; disabled: boolean }) {
  const t = useT()
  const kit = useKitText()
  const field = useField(`inputs.${input.name}`)
  const usual = defaultText(input)
  const common = {
    id: field.id,
    label: input.label ?? readable(input.name),
    description: input.help,
    // What has a default may stay empty, whatever the release asks for.
    withAsterisk: input.required && usual === undefined,
    required: false,
    'aria-required': input.required && usual === undefined,
    placeholder: usual === undefined ? undefined : t('inputs.usual', { value: usual }),
    error: field.error,
    disabled: field.disabled || disabled,
    onBlur: field.leave,
  }
  const { value } = field
  if (input.type === 'boolean') {
    const words = { true: kit('common.yes'), false: kit('common.no') }
    return (
      <Select
        {...common}
        data={[
          { value: 'true', label: words.true },
          { value: 'false', label: words.false },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        onChange={(chosen) => field.set(chosen === null ? undefined : chosen === 'true')}
        clearable
        maw={320}
      />
    )
  }
  if (input.type === 'number')
    return (
      <NumberInput
        {...common}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => field.set(typeof next === 'number' ? next : undefined)}
        maw={320}
      />
    )
  if (input.type === 'list')
    return (
      <TagsInput
        {...common}
        description={input.help ?? kit('form.tagsHelp')}
        value={
          Array.isArray(value)
            ? value.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
            : []
        }
        onChange={(next) => field.set(next.length === 0 ? undefined : next)}
        splitChars={['\n', ';']}
        acceptValueOnBlur
        clearable
        clearButtonProps={{ 'aria-label': kit('common.clear') }}
      />
    )
  const text = typeof value === 'string' ? value : ''
  if (input.secret || input.type === 'secret')
    return <SecretInput name={field.name} common={common} text={text} set={field.set} />
  const change = (next: string) => field.set(next === '' ? undefined : next)
  if (text.length > LONG || (usual?.length ?? 0) > LONG)
    return (
      <GrowingText
        {...common}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        minRows={2}
        maxRows={12}
      />
    )
  return <TextInput {...common} value={text} onChange={(event) => change(event.currentTarget.value)} />
}

function SecretInput(props: {
  name: string
  common: object
  text: string
  set: (value: string | undefined) => void
}) {
  const kit = useKitText()
  // Drafts are kept on the device, so a secret never goes into one.
  useSecretPath(props.name)
  return (
    <PasswordInput
      {...props.common}
      dir="ltr"
      autoComplete="new-password"
      value={props.text}
      onChange={(event) => props.set(event.currentTarget.value || undefined)}
      visibilityToggleButtonProps={{ 'aria-label': kit('form.secretShow') }}
    />
  )
}
