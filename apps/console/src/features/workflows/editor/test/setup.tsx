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
import type { Json } from '@weft/workflow/json'
import { RecordPicker, type ListEndpoint, type PickerSource } from '../../../../kit/fields/record-picker.tsx'
import { fieldErrorText } from '../../../../lib/i18n/names.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { DefaultValue } from '../data/default-value.tsx'
import type { Refusal } from './refusal.ts'
import { useTestDesk, useValueOf } from './test-desk.ts'
import classes from './test.module.css'

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

/** What a test run is given: inputs, what it works with, and on which client. */
export function Setup(props: { id: string; run: () => void; refusal: Refusal | null }) {
  const t = useT()
  const desk = useTestDesk()
  const { document } = useEditor()
  const setup = useValueOf(desk.setup)
  const put = (name: string, value: Json | undefined) => {
    const { [name]: _old, ...others } = setup.inputs
    desk.setup.set({ ...setup, inputs: value === undefined ? others : { ...others, [name]: value } })
  }
  const resource = (name: keyof TestResources) => ({
    value: setup.resources[name],
    set: (id: string | null) => {
      const { [name]: _old, ...others } = setup.resources
      desk.setup.set({ ...setup, resources: id === null ? others : { ...others, [name]: id } })
    },
  })
  return (
    <form
      id={props.id}
      className={classes.setup}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.run()
      }}
    >
      <section className={classes.fields}>
        <h3 className={classes.heading}>{t('test.inputs')}</h3>
        {document.inputs.length === 0 && <p className={classes.dim}>{t('data.noInputs')}</p>}
        {document.inputs.map((input) => (
          <InputField
            key={input.name}
            input={input}
            value={setup.inputs[input.name]}
            wrong={props.refusal?.inputs.get(input.name)}
            put={(value) => put(input.name, value)}
          />
        ))}
      </section>
      <section className={classes.fields}>
        <h3 className={classes.heading}>{t('test.resources')}</h3>
        <Picker label={t('test.account')} of={ACCOUNTS} {...resource('accountId')} />
        <Picker label={t('test.profile')} of={PROFILES} {...resource('profileId')} />
        <Picker label={t('test.proxy')} of={PROXIES} {...resource('proxyId')} />
        <Picker label={t('test.phone')} of={PHONES} {...resource('phoneId')} />
        <Picker label={t('test.video')} of={VIDEOS} {...resource('videoId')} />
      </section>
      <section className={classes.fields}>
        <h3 className={classes.heading}>{t('test.where')}</h3>
        <Picker
          label={t('test.client')}
          of={CLIENTS}
          value={setup.clientId ?? undefined}
          set={(id) => desk.setup.set({ ...setup, clientId: id })}
          placeholder={t('test.anyClient')}
        />
      </section>
    </form>
  )
}

function InputField(props: {
  input: WorkflowInput
  value: Json | undefined
  wrong: string | undefined
  put: (value: Json | undefined) => void
}) {
  const { input, value, put } = props
  const label = input.label ?? input.name
  const error = props.wrong === undefined ? undefined : fieldErrorText(props.wrong)
  if (input.secret)
    return (
      <PasswordInput
        label={label}
        description={input.help}
        error={error}
        required={input.required}
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
      {...(input.help === undefined ? {} : { help: input.help })}
      {...(error === undefined ? {} : { error })}
      required={input.required && input.default === undefined}
    />
  )
}

function Picker<E extends ListEndpoint>(props: {
  label: string
  of: PickerSource<E>
  value: string | undefined
  set: (id: string | null) => void
  placeholder?: string
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
        clearable
      />
    </Input.Wrapper>
  )
}
