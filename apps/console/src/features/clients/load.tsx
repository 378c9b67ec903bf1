import { SegmentedControl } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { clients } from '@weft/contract/clients/api'
import { Section } from '../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { useRead } from '../../lib/query.ts'
import classes from './clients.module.css'
import { useT } from './text.ts'

/** Charts are drawn only for who looks at one. */
const LoadCharts = lazy(() => import('./load-charts.tsx').then((module) => ({ default: module.LoadCharts })))

const HOURS = [1, 6, 24, 168] as const
const EVERY_MS = 60_000

/** How busy a client was over the last hours or days. */
export function ClientLoadHistory({ id }: { id: string }) {
  const t = useT()
  const [hours, setHours] = useState<(typeof HOURS)[number]>(6)
  const load = useRead(clients.load, { id, hours }, { every: EVERY_MS, keep: true })
  return (
    <Section title={t('load.title')}>
      <div className={classes.period}>
        <SegmentedControl
          size="xs"
          aria-label={t('load.period')}
          value={String(hours)}
          onChange={(value) => setHours(HOURS.find((one) => String(one) === value) ?? 6)}
          data={HOURS.map((value) => ({ value: String(value), label: t(`load.hours.${value}`) }))}
        />
      </div>
      <Load of={load} part>
        {(data) => (
          <Suspense fallback={<LinesSkeleton lines={6} />}>
            <LoadCharts load={data} />
          </Suspense>
        )}
      </Load>
    </Section>
  )
}
