import { Button, Drawer } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { devices } from '@weft/contract/devices/api'
import type { Device } from '@weft/contract/devices/schema'
import { SegmentField, SelectField, SwitchField } from '../../kit/fields/choice.tsx'
import { NumberField } from '../../kit/fields/number.tsx'
import { TextField, TextareaField } from '../../kit/fields/text.tsx'
import { FieldGroup, FieldRow, FormDrawer } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { Facts } from '../../kit/page/page.tsx'
import { Load } from '../../kit/states/states.tsx'
import { useMayCall } from '../../kit/actions/use-may-call.ts'
import { Dash, Ltr, Num } from '../../kit/values/values.tsx'
import { actionLabel, optionLabel } from '../../lib/i18n/names.ts'
import { text } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'

const ZONES = Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value }))

/** A device: a form for a new one and for one's own, else what it is. */
export function DeviceForm() {
  const { id } = useParams()
  const device = useRead(devices.get, { id: id ?? '' }, { enabled: id !== undefined })
  if (id === undefined) return <Editor />
  if (!device.data) return <Load of={device}>{() => null}</Load>
  return device.data.can.includes('update') ? <Editor /> : <DeviceFacts device={device.data} />
}

/** A new device that begins as another one is. */
export function DeviceCopy() {
  const { id } = useParams()
  const device = useRead(devices.get, { id: id ?? '' })
  return <Load of={device}>{(data) => <Editor copyOf={data} />}</Load>
}

function Editor({ copyOf }: { copyOf?: Device }) {
  const t = useT()
  const form = useResourceForm(devices, copyOf ? { id: null, initial: copied(copyOf, t), noDraft: true } : {})
  return (
    <FormDrawer form={form} size={520}>
      <TextField name="name" />
      <SegmentField name="kind" />
      <FieldGroup title={t('sections.screen')}>
        <FieldRow>
          <NumberField name="viewport.width" suffix=" px" />
          <NumberField name="viewport.height" suffix=" px" />
        </FieldRow>
        <NumberField name="scale" step={0.25} />
        <SwitchField name="touch" />
        <SwitchField name="mobile" />
      </FieldGroup>
      <FieldGroup title={t('sections.browser')}>
        <TextareaField name="userAgent" ltr rows={2} />
        <FieldRow>
          <TextField name="locale" ltr />
          <SelectField name="timeZone" options={ZONES} searchable clearable />
        </FieldRow>
        <SelectField name="colorScheme" clearable />
      </FieldGroup>
    </FormDrawer>
  )
}

function copied(device: Device, t: ReturnType<typeof useT>): Record<string, unknown> {
  const { kind, viewport, scale, touch, mobile, userAgent, locale, timeZone, colorScheme } = device
  const name = t('copyOf', { name: device.name })
  return { name, kind, viewport, scale, touch, mobile, userAgent, locale, timeZone, colorScheme }
}

/** A device that is only looked at, such as a built-in one. */
function DeviceFacts({ device }: { device: Device }) {
  const t = useT()
  const may = useMayCall()
  const navigate = useNavigate()
  const { search } = useLocation()
  const close = () => void navigate({ pathname: '..', search })
  const { viewport } = device
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={520}
      title={<bdi>{device.name}</bdi>}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      <Facts
        rows={[
          [t('fields.kind'), optionLabel('devices', 'kind', device.kind)],
          [t('fields.viewport._'), <Ltr key="size">{`${viewport.width} × ${viewport.height}`}</Ltr>],
          [t('fields.scale'), <Num key="scale" value={device.scale} />],
          [t('fields.touch'), text(device.touch ? 'kit:common.yes' : 'kit:common.no')],
          [t('fields.mobile'), text(device.mobile ? 'kit:common.yes' : 'kit:common.no')],
          [
            t('fields.userAgent'),
            device.userAgent ? <Ltr key="agent">{device.userAgent}</Ltr> : <Dash key="agent" />,
          ],
          [t('fields.builtIn'), optionLabel('devices', 'builtIn', String(device.builtIn))],
        ]}
      />
      {may(devices.create) && (
        <Button
          component={Link}
          to={{ pathname: `../copy/${device.id}`, search }}
          variant="default"
          mt={24}
          leftSection={<IconCopy size={16} aria-hidden />}
        >
          {actionLabel('devices', 'copy')}
        </Button>
      )}
    </Drawer>
  )
}
