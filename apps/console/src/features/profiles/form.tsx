import { Tabs } from '@mantine/core'
import { Suspense, lazy, useState, type ReactNode } from 'react'
import { devices } from '@weft/contract/devices/api'
import type { Device } from '@weft/contract/devices/schema'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import { SelectField } from '../../kit/fields/choice.tsx'
import { RecordSelect } from '../../kit/fields/record.tsx'
import { TagsField } from '../../kit/fields/tags.tsx'
import { TextField, TextareaField } from '../../kit/fields/text.tsx'
import { FieldGroup, FieldRow, FormDrawer } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { LeaseCell } from '../../kit/list/cells.tsx'
import { Facts } from '../../kit/page/page.tsx'
import { LinesSkeleton } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { Bytes, Dash, Time } from '../../kit/values/values.tsx'
import { optionLabel } from '../../lib/i18n/names.ts'
import { useRead } from '../../lib/query.ts'
import classes from './profiles.module.css'
import { useT } from './text.ts'
import { PROFILE_TONES } from './tones.ts'

const ProfileSnapshots = lazy(() => import('./snapshots.tsx'))

const ZONES = Intl.supportedValuesOf('timeZone')
const DEVICES_SHOWN = 1000

/** Creates or changes a profile, in a drawer. */
export function ProfileForm() {
  const t = useT()
  const form = useResourceForm(profiles)
  const id = form.record?.['id']
  const fields = (
    <>
      {typeof id === 'string' && <ProfileState id={id} />}
      <TextField name="name" />
      <FieldRow>
        <SelectField name="browserType" clearable={false} />
        <DeviceField />
      </FieldRow>
      <FieldRow>
        <TextField name="locale" ltr />
        <SelectField
          name="timeZone"
          options={ZONES.map((value) => ({ value, label: value }))}
          searchable
          clearable
        />
      </FieldRow>
      <RecordSelect
        name="proxyId"
        from={proxies.list}
        get={proxies.get}
        option={({ protocol, host, port }) => `${protocol}://${host}:${port}`}
      />
      <TagsField name="startUrls" ltr />
      <FieldGroup title={t('sections.further')}>
        <TagsField name="tags" from={profiles.tags} />
        <TextareaField name="notes" />
      </FieldGroup>
    </>
  )
  return (
    <FormDrawer form={form} size={520}>
      {typeof id === 'string' ? <RecordTabs id={id} fields={fields} /> : fields}
    </FormDrawer>
  )
}

/** What the profile is, and what is kept of its sessions; what was typed stays while one looks at the other. */
function RecordTabs({ id, fields }: { id: string; fields: ReactNode }) {
  const t = useT()
  const [open, setOpen] = useState('fields')
  const { data } = useRead(profiles.get, { id })
  return (
    <Tabs value={open} onChange={(value) => setOpen(value ?? 'fields')}>
      <Tabs.List mb={16}>
        <Tabs.Tab value="fields">{t('snapshots.tabFields')}</Tabs.Tab>
        <Tabs.Tab value="snapshots">{t('snapshots.title')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="fields">{fields}</Tabs.Panel>
      <Tabs.Panel value="snapshots">
        {open === 'snapshots' && (
          <Suspense fallback={<LinesSkeleton lines={6} />}>
            <ProfileSnapshots id={id} mayChange={data?.can.includes('update') === true} />
          </Suspense>
        )}
      </Tabs.Panel>
    </Tabs>
  )
}

/** The device presets, by name and with their screens. There are few enough to be chosen from one list. */
function DeviceField() {
  const list = useRead(devices.list, { perPage: DEVICES_SHOWN, sortBy: 'name' })
  const options = (list.data?.data ?? []).map((device) => ({ value: device.id, label: deviceLabel(device) }))
  return <SelectField name="deviceId" options={options} searchable clearable />
}

function deviceLabel({ name, kind, viewport }: Device): string {
  return `${name} · ${optionLabel('profiles', 'deviceType', kind)} ${viewport.width}×${viewport.height}`
}

/** What is saved of the profile, and who holds it. */
function ProfileState({ id }: { id: string }) {
  const t = useT()
  const { data } = useRead(profiles.get, { id })
  if (!data) return null
  return (
    <div className={classes.state}>
      <Facts
        rows={[
          [
            t('fields.status'),
            <StatusBadge key="status" value={data.status} feature="profiles" tones={PROFILE_TONES} />,
          ],
          [
            t('fields.snapshot'),
            data.snapshot ? <Bytes key="snapshot" n={data.snapshot.size} /> : <Dash key="snapshot" />,
          ],
          [t('snapshotAt'), <Time key="at" at={data.snapshot?.at} />],
          [t('fields.lease'), <LeaseCell key="lease" lease={data.lease} />],
        ]}
      />
    </div>
  )
}
