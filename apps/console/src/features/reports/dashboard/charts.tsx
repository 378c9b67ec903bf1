import { useMemo } from 'react'
import type { Summary } from '@weft/contract/reports/api'
import { StackedBar } from '../../../kit/charts/bar-chart.tsx'
import { Section } from '../../../kit/page/page.tsx'
import { ProgressBar } from '../../../kit/progress/progress.tsx'
import { Num } from '../../../kit/values/values.tsx'
import { useLanguage } from '../../../lib/i18n/texts.ts'
import { localeOf } from '../../../lib/i18n/languages.ts'
import { errorClassText } from '../../runs/text.ts'
import { filled, type Period } from '../period.ts'
import { useT } from '../text.ts'
import classes from './dashboard.module.css'

/** Items by result over time, and what went wrong. */
export function Charts({ summary, period }: { summary: Summary; period: Period }) {
  return (
    <div className={classes.charts}>
      <Section>
        <Items summary={summary} period={period} />
      </Section>
      <Errors summary={summary} />
    </div>
  )
}

function Items({ summary, period }: { summary: Summary; period: Period }) {
  const t = useT()
  const { code } = useLanguage()
  const points = useMemo(() => filled(summary.series, period), [summary.series, period])
  const long = new Intl.DateTimeFormat(
    localeOf(code),
    period.groupBy === 'hour'
      ? { weekday: 'short', hour: 'numeric', minute: 'numeric' }
      : { dateStyle: 'medium' },
  )
  const short = new Intl.DateTimeFormat(
    localeOf(code),
    period.groupBy === 'hour' ? { hour: 'numeric' } : { day: 'numeric', month: 'short' },
  )
  return (
    <StackedBar
      title={t(period.groupBy === 'hour' ? 'charts.itemsByHour' : 'charts.itemsByDay')}
      points={points.map(({ at }) => long.format(new Date(at)))}
      shortPoints={points.map(({ at }) => short.format(new Date(at)))}
      series={[
        { id: 'done', label: t('charts.done'), tone: 'green', values: points.map(({ done }) => done) },
        { id: 'failed', label: t('charts.failed'), tone: 'red', values: points.map(({ failed }) => failed) },
      ]}
      height={230}
    />
  )
}

/** The classes of error, the most frequent first. */
function Errors({ summary }: { summary: Summary }) {
  const t = useT()
  const { errors } = summary
  const most = Math.max(1, ...errors.map(({ count }) => count))
  return (
    <Section title={t('charts.errors')}>
      {errors.length === 0 ? (
        <p className={classes.dim}>{t('charts.noErrors')}</p>
      ) : (
        <ul className={classes.errors}>
          {errors.slice(0, 8).map((error) => {
            const label = errorClassText(error.class)
            return (
              <li key={error.class}>
                <div className={classes.errorLine}>
                  <span>{label}</span>
                  <Num value={error.count} />
                </div>
                <ProgressBar
                  bare
                  value={error.count}
                  max={most}
                  label={label}
                  segments={[{ value: error.count, tone: 'red', label }]}
                />
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}
