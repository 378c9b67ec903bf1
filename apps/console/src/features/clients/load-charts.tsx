import type { ClientLoad } from '@weft/contract/clients/schema'
import { LineChart } from '../../kit/charts/line-chart.tsx'
import type { Tone } from '../../kit/status/tones.ts'
import { useFormats } from '../../lib/formats.ts'
import classes from './clients.module.css'
import { stretches } from './load-points.ts'
import { useT } from './text.ts'

const MEGABYTE = 1_000_000
const DAY_SECONDS = 86_400
const HEIGHT = 160

/** Processor, memory and slots of a client over time. */
export function LoadCharts({ load }: { load: ClientLoad }) {
  const t = useT()
  const formats = useFormats()
  const all = stretches(load)
  const isLong = (Date.parse(load.to) - Date.parse(load.from)) / 1000 > DAY_SECONDS
  const points = all.map(({ at }) => formats.dateTime(at))
  const shortPoints = all.map(({ at }) => (isLong ? formats.date(at) : formats.time(at)))
  const line = (id: string, tone: Tone, value: (point: ClientLoad['points'][number]) => number | null) => ({
    id,
    label: t(`load.${id === 'cpu' ? 'cpu' : id === 'mem' ? 'mem' : id === 'busy' ? 'busy' : 'slots'}`),
    tone,
    values: all.map(({ point }) => (point ? value(point) : null)),
  })
  const common = { points, shortPoints, height: HEIGHT }
  return (
    <div className={classes.charts}>
      <LineChart
        {...common}
        title={t('load.cpu')}
        series={[line('cpu', 'blue', ({ cpu }) => cpu)]}
        format={(value) => formats.percent(value / 100)}
      />
      <LineChart
        {...common}
        title={t('load.mem')}
        series={[line('mem', 'violet', ({ mem }) => mem)]}
        format={(value) => formats.bytes(value * MEGABYTE)}
      />
      <LineChart
        {...common}
        title={t('load.busy')}
        series={[
          line('busy', 'green', ({ busy }) => busy),
          { ...line('slots', 'neutral', ({ slots }) => slots), comparison: true },
        ]}
        format={(value) => formats.number(value, 1)}
      />
    </div>
  )
}
