import { Input, PasswordInput } from '@mantine/core'
import { useId } from 'react'
import { accounts } from '@weft/contract/accounts/api'
import { clients } from '@weft/contract/clients/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import type { TestResources } from '@weft/contract/test-runs/schema'
import { videos } from '@weft/contract/videos/api'
import type { WorkflowInput } from '@weft/workflow/document'
import type { Json, JsonObject } from '@weft/workflow/json'
import { RecordPicker, type ListEndpoint, type PickerSource } from '../../../../kit/fields/record-picker.tsx'
import { fieldErrorText } from '../../../../lib/i18n/names.ts'
import { withInput } from '../../model/tests/test-draft.ts'
import { useT } from '../../text.ts'
import { DefaultValue } from '../data/default-value.tsx'

const source = <E extends ListEndpoint>(of: PickerSource<E>) => of

const ACCOUNTS = source({ from: accounts.list, get: accounts.get, label: (one) => one.username })
const PROFILES = source({ from: profiles.list, get: profiles.get, label: (one) => one.name })
const PROXIES = source({
  from: proxies.list,
  get: proxies.get,
  label: (one) => `${one.host}:${one.port}`,
})
const PHONES = source({ from: phones.list, get: phones.get, label: (one) => one.phoneNumber })
const VIDEOS = source({ from: videos.list, get: videos.get, label: (one) => one.title })
const CLIENTS = source({ from: clients.list, get: clients.get, label: (one) => one.name })

/** A field for each input that a run is given. */
export function InputFields(props: {
  inputs: readonly WorkflowInput[]
  values: JsonObject
  onChange: (values: JsonObject) => void
  /** What is wrong with an input, by its name. */
  wrong?: ReadonlyMap<string, string> | undefined
  disabled?: boolean
}) {
  const { inputs, values, onChange, wrong, disabled = false } = props
  return inputs.map((input) => (
    <InputField
      key={input.name}
      input={input}
      value={values[input.name]}
      wrong={wrong?.get(input.name)}
      disabled={disabled}
      put={(value) => onChange(withInput(values, input.name, value))}
    />
  ))
}

function InputField(props: {
  input: WorkflowInput
  value: Json | undefined
  wrong: string | undefined
  disabled: boolean
  put: (value: Json | undefined) => void
}) {
  const { input, value, put, disabled } = props
  const label = input.label ?? input.name
  const error = props.wrong === undefined ? undefined : fieldErrorText(props.wrong)
  if (input.secret)
    return (
      <PasswordInput
        label={label}
        description={input.help}
        error={error}
        required={input.required}
        disabled={disabled}
        autoComplete="off"
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => put(event.currentTarget.value || undefined)}
      />
    )
  return (
    <DefaultValue
      type={input.type}
      value={value}
      onChange={put}
      label={label}
      fallback={input.default}
      disabled={disabled}
      {...(input.help === undefined ? {} : { help: input.help })}
      {...(error === undefined ? {} : { error })}
      required={input.required && input.default === undefined}
    />
  )
}

/** What a run works with: account, profile, proxy, phone, video. */
export function ResourceFields(props: {
  value: TestResources
  onChange: (value: TestResources) => void
  disabled?: boolean
}) {
  const t = useT()
  const of = (name: keyof TestResources) => ({
    value: props.value[name],
    disabled: props.disabled ?? false,
    set: (id: string | null) => {
      const { [name]: _old, ...others } = props.value
      props.onChange(id === null ? others : { ...others, [name]: id })
    },
  })
  return (
    <>
      <Picker label={t('test.account')} of={ACCOUNTS} {...of('accountId')} />
      <Picker label={t('test.profile')} of={PROFILES} {...of('profileId')} />
      <Picker label={t('test.proxy')} of={PROXIES} {...of('proxyId')} />
      <Picker label={t('test.phone')} of={PHONES} {...of('phoneId')} />
      <Picker label={t('test.video')} of={VIDEOS} {...of('videoId')} />
    </>
  )
}

/** On which client a run takes place. */
export function ClientField(props: { value: string | null; set: (id: string | null) => void }) {
  const t = useT()
  return (
    <Picker
      label={t('test.client')}
      of={CLIENTS}
      value={props.value ?? undefined}
      set={props.set}
      placeholder={t('test.anyClient')}
    />
  )
}

function Picker<E extends ListEndpoint>(props: {
  label: string
  of: PickerSource<E>
  value: string | undefined
  set: (id: string | null) => void
  placeholder?: string
  disabled?: boolean
}) {
  const t = useT()
  const id = useId()
  return (
    <Input.Wrapper id={id} label={props.label}>
      <RecordPicker
        source={props.of}
        id={id}
        value={props.value ?? null}
        onChange={(chosen) => props.set(chosen)}
        placeholder={props.placeholder ?? t('test.none')}
        disabled={props.disabled ?? false}
        clearable
      />
    </Input.Wrapper>
  )
}
