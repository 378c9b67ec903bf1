import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Summary } from '@weft/contract/reports/api'
import { Stat } from '../../../kit/progress/progress.tsx'
import { Duration, Num } from '../../../kit/values/values.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { CAMPAIGNS, campaignPath } from '../../campaigns/paths.ts'
import { perHour, type Period } from '../period.ts'
import { useT } from '../text.ts'
import classes from './dashboard.module.css'

/** The figures of now and of the period; those of the period are compared with the one before. */
export function Figures({ summary, period }: { summary: Summary; period: Period }) {
  const t = useT()
  const formats = useFormats()
  const { clients, campaigns, current, previous } = summary
  const rate = perHour(current.done, period)
  const settled = current.done + current.failed
  return (
    <div className={classes.figures}>
      <Card to="/cms/resource/clients">
        <Stat
          label={t('figures.clients')}
          value={<Of value={clients.online} total={clients.total} />}
          hint={t('figures.freeSlots', { free: clients.freeSlots, slots: clients.slots })}
        />
      </Card>
      <Card to="/cms/campaign/list?state=running,pausing,completing">
        <Stat
          label={t('figures.running')}
          value={<Num value={campaigns.running} />}
          hint={t('figures.ofAll', { count: campaigns.total })}
        />
      </Card>
      <Card tone={campaigns.needsPerson > 0 ? 'violet' : undefined} to={needsPersonPath(summary)}>
        <Stat
          label={t('figures.needsPerson')}
          value={<Num value={campaigns.needsPerson} />}
          hint={t('figures.uncertain', { count: current.uncertain })}
        />
      </Card>
      <Card>
        <Stat
          label={t('figures.done')}
          value={<Num value={current.done} />}
          now={current.done}
          previous={previous.done}
          hint={
            rate === null || current.done === 0
              ? t('figures.nothingDone')
              : t('figures.perHour', { rate: formats.number(rate, 1) })
          }
        />
      </Card>
      <Card>
        <Stat
          label={t('figures.failed')}
          value={<Num value={current.failed} />}
          now={current.failed}
          previous={previous.failed}
          better="down"
          hint={
            settled === 0
              ? t('figures.nothingSettled')
              : t('figures.successRate', { rate: formats.percent(current.done / settled) })
          }
        />
      </Card>
      <Card>
        <Stat
          label={t('figures.runTime')}
          value={<Duration ms={current.p50Ms} />}
          now={current.p50Ms}
          previous={previous.p50Ms}
          better="down"
          hint={
            current.p95Ms === null ? (
              t('figures.nothingDone')
            ) : (
              <>
                {t('figures.p95')} <Duration ms={current.p95Ms} />
              </>
            )
          }
        />
      </Card>
    </div>
  )
}

/** Straight to the items that ask, where it is known which campaign has them. */
function needsPersonPath({ recent }: Summary): string {
  const asking = recent.filter(({ tally }) => tally.uncertain > 0)
  const [first] = asking
  return first && asking.length === 1 ? `${campaignPath(first.id)}?state=uncertain` : CAMPAIGNS
}

function Card(props: { to?: string; tone?: 'violet' | undefined; children: ReactNode }) {
  const { to, tone, children } = props
  if (!to) return <div className={classes.card}>{children}</div>
  return (
    <Link to={to} className={classes.card} data-tone={tone} data-link>
      {children}
    </Link>
  )
}

function Of({ value, total }: { value: number; total: number }) {
  return (
    <>
      <Num value={value} />
      <span className={classes.ofTotal}>
        {' / '}
        <Num value={total} />
      </span>
    </>
  )
}
