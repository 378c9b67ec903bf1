import { SegmentedControl } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { system } from '@weft/contract/system/api'
import { SYSTEM_READ_ONLY, type Maintenance } from '@weft/contract/system/schema'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { DateTimeField } from '../../../kit/fields/date-time.tsx'
import { FieldFrame } from '../../../kit/fields/frame.tsx'
import { TextareaField } from '../../../kit/fields/text.tsx'
import { useField } from '../../../kit/form/context.ts'
import { FieldRow, FormBody } from '../../../kit/form/form.tsx'
import { useCallForm } from '../../../kit/form/use-resource-form.ts'
import { Section } from '../../../kit/page/page.tsx'
import { useT } from '../text.ts'

const READ_ONLY = 2
const CLOSED = 3
const AHEAD_MS = 30 * 60_000
const DRAIN_MS = 10 * 60_000

/** Begins read-only or maintenance, now or at a time. */
export function BeginForm({ maintenance }: { maintenance: Maintenance }) {
  const t = useT()
  const form = useCallForm(system.beginMaintenance, {
    initial: {
      status: maintenance.status === SYSTEM_READ_ONLY ? READ_ONLY : CLOSED,
      at: null,
      drainFrom: null,
      note: maintenance.note,
      until: maintenance.until,
    },
    done: t('maintenance.kept'),
    // The page stays as it is.
    onDone: () => {},
  })
  const submit = async () => {
    const now = form.store?.get().values['at'] === null
    const yes =
      !now ||
      (await confirm({
        name: t(
          `maintenance.statuses.${form.store?.get().values['status'] === READ_ONLY ? 'readOnly' : 'closed'}`,
        ),
        text: t('maintenance.nowText'),
        confirmLabel: t('maintenance.beginNow'),
      }))
    if (yes) await form.submit()
  }
  const store = form.store
  const later = useSyncExternalStore(
    (listener) => store?.subscribe(listener) ?? (() => {}),
    () => store?.get().values['at'] !== null,
  )
  return (
    <div style={{ marginBlockStart: 16 }}>
      <Section title={t('maintenance.beginTitle')}>
        <div style={{ maxWidth: 640 }}>
          <FormBody
            form={{ ...form, submit }}
            cancel={false}
            submitLabel={t(later ? 'maintenance.plan' : 'maintenance.beginNow')}
          >
            <KindField />
            <WhenField />
            <Times />
            <TextareaField name="note" label={t('maintenance.note')} help={t('maintenance.noteHelp')} />
            <DateTimeField
              name="until"
              label={t('maintenance.untilLabel')}
              help={t('maintenance.untilHelp')}
            />
          </FormBody>
        </div>
      </Section>
    </div>
  )
}

function KindField() {
  const t = useT()
  const field = useField('status')
  return (
    <FieldFrame
      name="status"
      label={t('maintenance.kind')}
      help={t(field.value === READ_ONLY ? 'maintenance.readOnlyHelp' : 'maintenance.closedHelp')}
      group
    >
      <SegmentedControl
        value={String(field.value)}
        onChange={(value) => field.set(Number(value))}
        data={[
          { value: String(READ_ONLY), label: t('maintenance.statuses.readOnly') },
          { value: String(CLOSED), label: t('maintenance.statuses.closed') },
        ]}
      />
    </FieldFrame>
  )
}

function WhenField() {
  const t = useT()
  const at = useField('at')
  const drain = useField('drainFrom')
  const choose = (when: string) => {
    const begins = Math.ceil((Date.now() + AHEAD_MS) / 60_000) * 60_000
    at.set(when === 'now' ? null : new Date(begins).toISOString())
    drain.set(when === 'now' ? null : new Date(begins - DRAIN_MS).toISOString())
  }
  return (
    <FieldFrame name="when" label={t('maintenance.when')} group>
      <SegmentedControl
        value={at.value === null ? 'now' : 'later'}
        onChange={choose}
        data={[
          { value: 'now', label: t('maintenance.atOnce') },
          { value: 'later', label: t('maintenance.atTime') },
        ]}
      />
    </FieldFrame>
  )
}

function Times() {
  const t = useT()
  const at = useField('at')
  if (at.value === null) return null
  return (
    <FieldRow>
      <DateTimeField name="at" label={t('maintenance.at')} />
      <DateTimeField name="drainFrom" label={t('maintenance.drainFrom')} help={t('maintenance.drainHelp')} />
    </FieldRow>
  )
}
