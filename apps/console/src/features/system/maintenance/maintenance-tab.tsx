import { Alert, Button, Group } from '@mantine/core'
import { system } from '@weft/contract/system/api'
import { SYSTEM_READ_ONLY, SYSTEM_RUNNING, type Maintenance } from '@weft/contract/system/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Facts, Section } from '../../../kit/page/page.tsx'
import { Load } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { Dash, Num } from '../../../kit/values/values.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { useRead } from '../../../lib/query.ts'
import { useT } from '../text.ts'
import { BeginForm } from './begin-form.tsx'
import { useCountdown } from './countdown.ts'

const LOOK_MS = 3_000

/** Whether the system runs, what is planned, and how many runs are still under way. */
export function MaintenanceTab() {
  const record = useRead(system.maintenance, {}, { every: LOOK_MS })
  return (
    <Load of={record}>
      {(maintenance) => (
        <>
          <Now maintenance={maintenance} />
          <BeginForm key={`${maintenance.status} ${maintenance.planned?.at}`} maintenance={maintenance} />
        </>
      )}
    </Load>
  )
}

/** The word for a status. */
function statusName(status: number): 'running' | 'readOnly' | 'closed' {
  if (status === SYSTEM_RUNNING) return 'running'
  return status === SYSTEM_READ_ONLY ? 'readOnly' : 'closed'
}

const TONES = { running: 'green', readOnly: 'amber', closed: 'red' } as const

function Now({ maintenance }: { maintenance: Maintenance }) {
  const t = useT()
  const formats = useFormats()
  const name = statusName(maintenance.status)
  const end = useChange(system.endMaintenance, { done: t('maintenance.ended') })
  return (
    <Section
      title={t('maintenance.now')}
      aside={
        name !== 'running' && (
          <Button loading={end.isPending} onClick={() => end.mutate({})}>
            {t('maintenance.end')}
          </Button>
        )
      }
    >
      <Facts
        rows={[
          [
            t('maintenance.status'),
            <StatusBadge
              key="status"
              value={name}
              tone={TONES[name]}
              text={t(`maintenance.statuses.${name}`)}
            />,
          ],
          [t('maintenance.underWay'), <Num key="runs" value={maintenance.runsUnderWay} />],
          [t('maintenance.newRuns'), t(maintenance.takesNewRuns ? 'maintenance.begin' : 'maintenance.wait')],
          [
            t('maintenance.until'),
            maintenance.until ? formats.dateTime(maintenance.until) : <Dash key="until" />,
          ],
        ]}
      />
      {maintenance.planned && <Planned maintenance={maintenance} planned={maintenance.planned} />}
    </Section>
  )
}

function Planned({
  maintenance: { note, until },
  planned: { at, drainFrom, status },
}: {
  maintenance: Maintenance
  planned: NonNullable<Maintenance['planned']>
}) {
  const t = useT()
  const formats = useFormats()
  const left = useCountdown(at)
  const cancel = useChange(system.cancelMaintenance, { done: t('maintenance.cancelled') })
  const begin = useChange(system.beginMaintenance, { done: t('maintenance.begun') })
  const beginNow = async () => {
    const kind = statusName(status) === 'readOnly' ? 2 : 3
    const name = t(`maintenance.statuses.${statusName(status)}`)
    const yes = await confirm({
      name,
      text: t('maintenance.nowText'),
      confirmLabel: t('maintenance.beginNow'),
    })
    if (yes) begin.mutate({ status: kind, note, until })
  }
  return (
    <Alert color="yellow" mt={16} title={t(`maintenance.plannedTitle.${statusName(status)}`)}>
      <p style={{ margin: 0 }}>
        {t('maintenance.plannedText', {
          at: formats.exact(at),
          left: formats.duration(left),
          drain: formats.dateTime(drainFrom),
        })}
      </p>
      <Group gap={8} mt={12}>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({})}>
          {t('maintenance.cancel')}
        </Button>
        <Button variant="default" loading={begin.isPending} onClick={() => void beginNow()}>
          {t('maintenance.beginNow')}
        </Button>
      </Group>
    </Alert>
  )
}
