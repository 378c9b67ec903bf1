import { Button, Tabs, TextInput } from '@mantine/core'
import { Suspense, lazy, useState, type ReactNode } from 'react'
import { useParams } from 'react-router'
import { accounts } from '@weft/contract/accounts/api'
import { ACCOUNT_SETTABLE } from '@weft/contract/accounts/schema'
import { phones } from '@weft/contract/phones/api'
import type { Phone } from '@weft/contract/phones/schema'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import type { Proxy } from '@weft/contract/proxies/schema'
import { GrowingText } from '../../kit/fields/growing-text.tsx'
import { SelectField } from '../../kit/fields/choice.tsx'
import { DateTimeField } from '../../kit/fields/date-time.tsx'
import { FieldFrame, describedBy } from '../../kit/fields/frame.tsx'
import { NumberField } from '../../kit/fields/number.tsx'
import { RecordSelect } from '../../kit/fields/record.tsx'
import { TagsField } from '../../kit/fields/tags.tsx'
import { SecretField, TextField, TextareaField } from '../../kit/fields/text.tsx'
import { useField, useFieldValue, useFormScope, useSecretPath } from '../../kit/form/context.ts'
import { FieldGroup, FieldRow, FormDrawer } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { LinesSkeleton } from '../../kit/states/states.tsx'
import { useFormats } from '../../lib/formats.ts'
import { optionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { SECRETS } from './revealing.ts'
import { AccountSession } from './session.tsx'
import classes from './accounts.module.css'
import { useT } from './text.ts'

const AccountTimeline = lazy(() => import('./timeline.tsx'))

const FIELDS = Object.keys(accounts.create.input.shape)

/** The form's values of a record: not its secrets, and no status that only runs give. */
function valuesOf(record: Record<string, unknown>): Record<string, unknown> {
  const secrets: readonly string[] = SECRETS
  const entries = Object.entries(record).filter(([name]) => FIELDS.includes(name) && !secrets.includes(name))
  const values = Object.fromEntries(entries)
  if (!ACCOUNT_SETTABLE.some((status) => status === values['status'])) delete values['status']
  return values
}

/** Creates or changes an account, in a drawer. */
export function AccountForm() {
  const t = useT()
  const formats = useFormats()
  const form = useResourceForm(accounts, { fromRecord: valuesOf })
  const { id } = useParams()
  const status = form.record?.['status']
  const byRuns = typeof status === 'string' && !ACCOUNT_SETTABLE.some((one) => one === status)
  const rests = form.record?.['coolingUntil']
  const until = typeof rests === 'string' ? formats.dateTime(rests) : null
  const fields = (
    <>
      <FieldRow>
        <SelectField name="type" />
        <SelectField
          name="status"
          options={[...ACCOUNT_SETTABLE]}
          clearable={false}
          {...(byRuns
            ? {
                placeholder: optionLabel('accounts', 'status', status),
                help: until ? t('restsUntil', { time: until }) : t('statusByRuns'),
              }
            : {})}
        />
      </FieldRow>
      <TextField name="username" ltr />
      <FieldRow>
        <TextField name="displayName" />
        <TextField name="channelName" />
      </FieldRow>
      <TextField name="email" type="email" ltr />
      <FieldGroup title={t('sections.secrets')}>
        <SecretField name="password" />
        <SecretField name="totpSeed" />
        <RecoveryCodesField />
      </FieldGroup>
      <FieldGroup title={t('sections.links')}>
        <RecordSelect name="profileId" from={profiles.list} get={profiles.get} option={({ name }) => name} />
        {id !== undefined && <AccountSession id={id} />}
        <RecordSelect name="proxyId" from={proxies.list} get={proxies.get} option={proxyName} />
        <RecordSelect name="phoneId" from={phones.list} get={phones.get} option={phoneName} />
      </FieldGroup>
      <FieldGroup title={t('sections.limits')}>
        <TagsField name="allowedDomains" ltr />
        <FieldRow>
          <NumberField name="limits.perDay" />
          <NumberField name="limits.perHour" />
        </FieldRow>
        <FieldRow>
          <NumberField name="limits.cooldownMinutes" />
          <TextField name="limits.quietHours" ltr />
        </FieldRow>
      </FieldGroup>
      <FieldGroup title={t('sections.ownership')}>
        <Ownership />
      </FieldGroup>
      <FieldGroup title={t('sections.further')}>
        <TagsField name="tags" from={accounts.tags} />
        <TextareaField name="notes" />
      </FieldGroup>
    </>
  )
  return (
    <FormDrawer form={form} size={560}>
      {form.isNew ? fields : <RecordTabs fields={fields} />}
    </FormDrawer>
  )
}

/** What the account is, and what happened to it; what was typed stays while one looks at the other. */
function RecordTabs({ fields }: { fields: ReactNode }) {
  const t = useT()
  const { id = '' } = useParams()
  const [open, setOpen] = useState('fields')
  return (
    <Tabs value={open} onChange={(value) => setOpen(value ?? 'fields')}>
      <Tabs.List mb={16}>
        <Tabs.Tab value="fields">{t('timeline.fields')}</Tabs.Tab>
        <Tabs.Tab value="timeline">{t('timeline.title')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="fields" className={classes.fields}>
        {fields}
      </Tabs.Panel>
      <Tabs.Panel value="timeline">
        {open === 'timeline' && (
          <Suspense fallback={<LinesSkeleton lines={6} />}>
            <AccountTimeline id={id} />
          </Suspense>
        )}
      </Tabs.Panel>
    </Tabs>
  )
}

const proxyName = ({ protocol, host, port }: Proxy) => `${protocol}://${host}:${port}`
const phoneName = ({ phoneNumber, label }: Phone) => (label ? `${phoneNumber} (${label})` : phoneNumber)

/** Recovery codes, one a line; like every secret they are never shown and stay when left empty. */
function RecoveryCodesField() {
  const t = useT()
  const kit = useKitText()
  useSecretPath('recoveryCodes')
  const field = useField('recoveryCodes')
  const { record } = useFormScope()
  const state = record?.['recoveryCodes']
  const isSet = state !== null && typeof state === 'object' && 'set' in state && state.set === true
  const [typed, setTyped] = useState('')
  const cleared = field.value === null && isSet
  const change = (next: string) => {
    setTyped(next)
    const codes = next.split(/[\n,;]+/).flatMap((code) => code.trim() || [])
    field.set(codes.length > 0 ? codes : undefined)
  }
  return (
    <FieldFrame name="recoveryCodes">
      <GrowingText
        id={field.id}
        value={typed}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={field.leave}
        error={Boolean(field.error)}
        disabled={field.disabled}
        dir="ltr"
        minRows={2}
        maxRows={12}
        autoComplete="off"
        placeholder={
          cleared ? kit('form.secretCleared') : isSet ? kit('form.secretKeep') : t('recoveryCodesPlaceholder')
        }
        {...describedBy(field, field.help)}
      />
      {isSet && (
        <Button
          mt={4}
          size="compact-sm"
          variant="subtle"
          disabled={field.disabled}
          onClick={() => field.set(cleared ? undefined : null)}
        >
          {cleared ? kit('common.cancel') : kit('form.secretClear')}
        </Button>
      )}
    </FieldFrame>
  )
}

/** Who owns the account, and since when that is attested. Emptying the owner takes both away. */
function Ownership() {
  const { value, set } = useField('ownership')
  const owner = useFieldValue('ownership.owner')
  const known = value !== null && typeof value === 'object'
  return (
    <>
      <OwnerField
        known={known}
        clear={() => set(null)}
        begin={(name) => set({ owner: name, attestedAt: new Date().toISOString() })}
      />
      {known && typeof owner === 'string' && <DateTimeField name="ownership.attestedAt" />}
    </>
  )
}

function OwnerField(props: { known: boolean; clear: () => void; begin: (owner: string) => void }) {
  const field = useField('ownership.owner')
  return (
    <FieldFrame name="ownership.owner">
      <TextInput
        id={field.id}
        value={typeof field.value === 'string' ? field.value : ''}
        onChange={(event) => {
          const { value } = event.currentTarget
          if (value === '') props.clear()
          else if (props.known) field.set(value)
          else props.begin(value)
        }}
        onBlur={field.leave}
        error={Boolean(field.error)}
        disabled={field.disabled}
        maxLength={200}
        autoComplete="off"
        {...describedBy(field, field.help)}
      />
    </FieldFrame>
  )
}
