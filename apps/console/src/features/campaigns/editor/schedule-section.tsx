import { Select, SegmentedControl, TextInput } from '@mantine/core'
import { useMemo, useSyncExternalStore } from 'react'
import { instantOf, wallTime } from '@weft/contract/core/wall-time'
import { FieldFrame, describedBy } from '../../../kit/fields/frame.tsx'
import { useField, useFieldValue } from '../../../kit/form/context.ts'
import { Section } from '../../../kit/page/page.tsx'
import { minuteClock } from '../../../kit/values/clock.ts'
import { useFormats } from '../../../lib/formats.ts'
import { optionLabel } from '../../../lib/i18n/names.ts'
import { useT } from '../text.ts'
import classes from './editor.module.css'
import { allZones, ownZone } from './zone.ts'

const MODES = ['now', 'at'] as const

/** The schedule's mode and, for a time, what was typed so far. */
function readSchedule(value: unknown): { mode: 'now' | 'at'; at: string | null; zone: string } {
  const given: Record<string, unknown> = value !== null && typeof value === 'object' ? { ...value } : {}
  return {
    mode: given['mode'] === 'at' ? 'at' : 'now',
    at: typeof given['at'] === 'string' ? given['at'] : null,
    zone: typeof given['timeZone'] === 'string' ? given['timeZone'] : ownZone(),
  }
}

/** When it begins: as soon as it is started, or at a time on the clock of a place. */
export function ScheduleSection({ disabled }: { disabled: boolean }) {
  const t = useT()
  const field = useField('schedule')
  const { mode } = readSchedule(field.value)
  const isDisabled = field.disabled || disabled
  const choose = (next: string) =>
    field.set(next === 'at' ? { mode: 'at', at: undefined, timeZone: ownZone() } : { mode: 'now' })
  return (
    <Section title={t('editor.schedule')}>
      <div className={classes.stack}>
        <FieldFrame name="schedule" label={t('fields.schedule.mode')} group>
          <SegmentedControl
            data={MODES.map((value) => ({ value, label: optionLabel('campaigns', 'schedule', value) }))}
            value={mode}
            onChange={choose}
            disabled={isDisabled}
          />
        </FieldFrame>
        {mode === 'at' && <StartTime disabled={isDisabled} />}
      </div>
    </Section>
  )
}

function StartTime({ disabled }: { disabled: boolean }) {
  const t = useT()
  const at = useField('schedule.at')
  const zoneField = useField('schedule.timeZone')
  const { at: moment, zone } = readSchedule(useFieldValue('schedule'))
  const zones = useMemo(() => allZones(), [])
  return (
    <>
      <div className={classes.joins}>
        <FieldFrame name="schedule.at">
          <TextInput
            id={at.id}
            type="datetime-local"
            value={moment ? wallTime(moment, zone) : ''}
            onChange={(event) => at.set(instantOf(event.currentTarget.value, zone) ?? undefined)}
            onBlur={at.leave}
            error={Boolean(at.error)}
            disabled={disabled}
            {...describedBy(at, at.help)}
          />
        </FieldFrame>
        <FieldFrame name="schedule.timeZone">
          <Select
            id={zoneField.id}
            data={zones}
            value={zone}
            searchable
            // What is typed searches anew instead of growing the name that stands there.
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault()
            }}
            onChange={(next) => {
              if (!next) return
              // The clock on the wall is what the person means; another zone moves the moment.
              const wall = moment ? wallTime(moment, zone) : ''
              zoneField.set(next)
              if (wall) at.set(instantOf(wall, next) ?? undefined)
            }}
            disabled={disabled}
            aria-label={zoneField.label}
            dir="ltr"
          />
        </FieldFrame>
      </div>
      {moment && <StartPreview at={moment} zone={zone} />}
      <p className={classes.dim}>{t('schedule.help')}</p>
    </>
  )
}

/** What the chosen time means: how far off it is, and when that is on this device's clock. */
function StartPreview({ at, zone }: { at: string; zone: string }) {
  const t = useT()
  const formats = useFormats()
  const now = useSyncExternalStore(minuteClock.subscribe, minuteClock.get)
  const past = Date.parse(at) <= now
  return (
    <p className={classes.notice} data-tone={past ? 'red' : 'blue'} role={past ? 'alert' : undefined}>
      {past ? t('schedule.past') : t('schedule.begins', { when: formats.duration(Date.parse(at) - now) })}{' '}
      {!past && zone !== ownZone() && t('schedule.yourTime', { time: formats.exact(at) })}
    </p>
  )
}
