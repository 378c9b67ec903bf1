import type { Campaign } from '@weft/contract/campaigns/schema'
import type { ItemState } from '@weft/contract/campaigns/states'
import { useSearchParams } from 'react-router'
import { Section } from '../../../kit/page/page.tsx'
import { Dash, Duration, Elapsed, Num } from '../../../kit/values/values.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { settledOf } from '../tally.ts'
import { TallyBar, TallyLegend } from '../tally-bar.tsx'
import { useT } from '../text.ts'
import classes from './monitor.module.css'

const SECOND = 1000

/** How far it is, how fast, how long still; the legend chooses what the table shows. */
export function ProgressPanel({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const formats = useFormats()
  const [search, setSearch] = useSearchParams()
  const { tally, total } = campaign
  const settled = settledOf(tally)
  const chosen = (search.get('state') ?? '').split(',').filter(Boolean)
  const choose = (state: ItemState | null) =>
    setSearch(state ? { state } : {}, { replace: true, preventScrollReset: true })
  const figures = [
    [t('figures.settled'), <Of key="of" value={settled} total={total} />],
    [t('figures.share'), total > 0 ? formats.percent(settled / total) : <Dash key="none" />],
    [
      t('figures.rate'),
      campaign.ratePerMinute === null ? (
        <Dash key="none" />
      ) : (
        t('figures.perMinute', { rate: formats.number(campaign.ratePerMinute, 1) })
      ),
    ],
    [
      t('figures.eta'),
      campaign.etaSeconds === null ? (
        <Dash key="none" />
      ) : (
        <Duration key="eta" ms={campaign.etaSeconds * SECOND} />
      ),
    ],
    [
      t(campaign.finishedAt ? 'figures.took' : 'figures.elapsed'),
      <Elapsed key="elapsed" from={campaign.startedAt} to={campaign.finishedAt} />,
    ],
  ] as const
  return (
    <Section>
      <dl className={classes.figures}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <TallyBar tally={tally} total={total} />
      <TallyLegend tally={tally} chosen={chosen} onChoose={choose} />
    </Section>
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
