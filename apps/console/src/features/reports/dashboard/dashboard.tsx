import { SegmentedControl } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import { campaigns } from '@weft/contract/campaigns/api'
import { reports } from '@weft/contract/reports/api'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { Freshness } from '../../../kit/progress/progress.tsx'
import { Load } from '../../../kit/states/states.tsx'
import { minuteClock } from '../../../kit/values/clock.ts'
import { useRead } from '../../../lib/query.ts'
import { PERIODS, periodName, periodOf } from '../period.ts'
import { useT } from '../text.ts'
import { Charts } from './charts.tsx'
import { DashboardSkeleton } from './skeleton.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps, isFresh } from './first-steps.tsx'
import classes from './dashboard.module.css'
import { RecentCampaigns } from './recent.tsx'

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Where things stand: clients, campaigns, items and runs over a period, compared with the one before. */
export function Dashboard() {
  const t = useT()
  const [search, setSearch] = useSearchParams()
  const name = periodName(search.get('period'))
  const now = useSyncExternalStore(minuteClock.subscribe, minuteClock.get)
  const period = periodOf(name, now)
  const summary = useRead(reports.summary, { ...period, timeZone: ZONE }, { keep: true })
  return (
    <Page
      title={t('title')}
      status={<Freshness at={summary.data?.at} />}
      actions={
        <>
          <SegmentedControl
            data={PERIODS.map((value) => ({ value, label: t(`periods.${value}`) }))}
            value={name}
            onChange={(value) => setSearch({ period: value }, { replace: true, preventScrollReset: true })}
            aria-label={t('period')}
          />
          <CreateButton for={campaigns.create} to="/cms/campaign/new" label={t('newCampaign')} />
        </>
      }
    >
      <Load of={summary} skeleton={<DashboardSkeleton />}>
        {(data) => (
          <div className={classes.stack} aria-busy={summary.isPlaceholderData}>
            {isFresh(data) && <FirstSteps summary={data} />}
            <Figures summary={data} period={period} />
            <Charts summary={data} period={{ ...period, from: data.from, to: data.to }} />
            <RecentCampaigns summary={data} />
          </div>
        )}
      </Load>
    </Page>
  )
}
