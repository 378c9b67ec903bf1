import type { ReactNode } from 'react'
import { proxies } from '@weft/contract/proxies/api'
import { PROXY_UNUSABLE, type Proxy } from '@weft/contract/proxies/schema'
import { useMayCall } from '../../kit/actions/use-may-call.ts'
import { SegmentField, SelectField, SwitchField } from '../../kit/fields/choice.tsx'
import { DateTimeField } from '../../kit/fields/date-time.tsx'
import { NumberField } from '../../kit/fields/number.tsx'
import { TagsField } from '../../kit/fields/tags.tsx'
import { SecretField, TextField, TextareaField } from '../../kit/fields/text.tsx'
import { FieldGroup, FieldRow, FormDrawer } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { LeaseCell } from '../../kit/list/cells.tsx'
import { Facts } from '../../kit/page/page.tsx'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useRead } from '../../lib/query.ts'
import { Checked, Latency, Place, State, Success } from './cells.tsx'
import { Dash, Ltr } from '../../kit/values/values.tsx'
import { countryName } from '../../lib/countries.ts'
import { LineField } from './line-field.tsx'
import { COUNTRY_CODES } from './countries.ts'
import { proxyName } from './place.ts'
import { TestSection } from './test-section.tsx'
import { useT } from './text.ts'
import classes from './proxies.module.css'

const FIELDS = Object.keys(proxies.create.input.shape).filter((name) => name !== 'password')

/** The form's values of a record: without its password, and with the switch that its status stands for. */
function valuesOf(record: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(record).filter(([name]) => FIELDS.includes(name))
  return { ...Object.fromEntries(entries), disabled: record['status'] === 'disabled' }
}

/** Creates or changes a proxy, in a drawer. */
export function ProxyForm() {
  const t = useT()
  const may = useMayCall()
  const form = useResourceForm(proxies, { fromRecord: valuesOf, initial: { protocol: 'http' } })
  const id = form.record?.['id']
  return (
    <FormDrawer form={form} size={560} {...titleOf(form.record)}>
      {typeof id === 'string' ? <Found id={id} /> : <LineField />}
      <SegmentField name="protocol" />
      <FieldRow>
        <TextField name="host" ltr />
        <NumberField name="port" />
      </FieldRow>
      <FieldRow>
        <TextField name="username" ltr />
        <SecretField name="password" />
      </FieldRow>
      {may(proxies.test) && <TestSection />}
      <FieldGroup title={t('sections.kind')}>
        <FieldRow>
          <SelectField name="type" clearable={false} />
          <NumberField name="capacity" />
        </FieldRow>
        <FieldRow>
          <SelectField
            name="country"
            options={COUNTRY_CODES.map((value) => ({ value, label: countryName(value) }))}
            searchable
            clearable
          />
          <TextField name="city" />
        </FieldRow>
        <SwitchField name="disabled" />
      </FieldGroup>
      <FieldGroup title={t('sections.contract')}>
        <FieldRow>
          <TextField name="provider" />
          <DateTimeField name="expiresAt" />
        </FieldRow>
        <FieldRow>
          <NumberField name="costPerMonth" />
          <SelectField name="currency" options={currencies()} searchable clearable />
        </FieldRow>
      </FieldGroup>
      <FieldGroup title={t('sections.further')}>
        <TagsField name="tags" from={proxies.tags} />
        <TextareaField name="notes" />
      </FieldGroup>
    </FormDrawer>
  )
}

function titleOf(record: Record<string, unknown> | null): { title?: string } {
  const host = record?.['host']
  const port = record?.['port']
  return typeof host === 'string' && typeof port === 'number' ? { title: proxyName({ host, port }) } : {}
}

function currencies() {
  return Intl.supportedValuesOf('currency').map((value) => ({ value, label: value }))
}

/** What checks found out, and who holds it. */
function Found({ id }: { id: string }) {
  const t = useT()
  const { data } = useRead(proxies.get, { id })
  if (!data) return null
  return (
    <div className={classes.found}>
      <Facts rows={factsOf(data, t)} />
    </div>
  )
}

function factsOf(proxy: Proxy, t: ReturnType<typeof useT>): [string, ReactNode][] {
  const out = PROXY_UNUSABLE.some((status) => status === proxy.status)
  return [
    [fieldLabel('proxies', 'status'), <State key="status" proxy={proxy} whole />],
    ...(out ? [[t('fields.use'), t('notGiven')] satisfies [string, ReactNode]] : []),
    [t('fields.latencyMs'), <Latency key="latency" ms={proxy.latencyMs} />],
    [t('fields.successRatio24h'), <Success key="success" ratio={proxy.successRatio24h} />],
    [t('fields.exitIp'), proxy.exitIp ? <Ltr key="exit">{proxy.exitIp}</Ltr> : <Dash key="exit" />],
    [t('fields.country'), <Place key="place" country={proxy.country} city={proxy.city} />],
    [t('fields.checkedAt'), <Checked key="checked" proxy={proxy} />],
    [t('fields.lease'), <LeaseCell key="lease" lease={proxy.lease} />],
  ]
}
