import type { Campaign, Tally } from '@weft/contract/campaigns/schema'
import type { ItemState } from '@weft/contract/campaigns/states'
import { ProgressBar } from '../../kit/progress/progress.tsx'
import { toneOf } from '../../kit/status/tones.ts'
import { Dash } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'
import { optionLabel } from '../../lib/i18n/names.ts'
import { useT } from './text.ts'
import { segmentsOf, settledOf, statesWithItems } from './tally.ts'
import classes from './tally-bar.module.css'

const nameOf = (state: ItemState) => optionLabel('campaigns', 'state', state)

/** How a campaign's items stand, as one bar parted by state; what is not begun is its empty rest. */
export function TallyBar({ tally, total }: Pick<Campaign, 'tally' | 'total'>) {
  const t = useT()
  return (
    <ProgressBar
      bare
      value={settledOf(tally)}
      max={total}
      label={t('progress.label')}
      segments={segmentsOf(tally, nameOf)}
    />
  )
}

/** The bar in a row of a list, with how far it is and what needs a look. */
export function RowProgress({ campaign }: { campaign: Pick<Campaign, 'tally' | 'total'> }) {
  const t = useT()
  const formats = useFormats()
  const { tally, total } = campaign
  if (total === 0) return <Dash />
  return (
    <div className={classes.row}>
      <TallyBar tally={tally} total={total} />
      <div className={classes.rowText}>
        <span className="numbers">
          {t('progress.of', { settled: formats.number(settledOf(tally)), total: formats.number(total) })}
        </span>
        {tally.uncertain > 0 ? (
          <span className={classes.needs}>{t('progress.needsPerson', { count: tally.uncertain })}</span>
        ) : (
          tally.failed > 0 && (
            <span className={classes.failed}>{t('progress.failed', { count: tally.failed })}</span>
          )
        )}
      </div>
    </div>
  )
}

/** What the colours of a bar mean, with counts; each chooses the items in its state. */
export function TallyLegend(props: {
  tally: Tally
  chosen: readonly string[]
  onChoose: (state: ItemState | null) => void
}) {
  const formats = useFormats()
  return (
    <ul className={classes.legend}>
      {statesWithItems(props.tally).map((state) => {
        const pressed = props.chosen.length === 1 && props.chosen[0] === state
        const waits = state === 'ready' || state === 'planned'
        return (
          <li key={state}>
            <button
              type="button"
              className={classes.entry}
              aria-pressed={pressed}
              onClick={() => props.onChoose(pressed ? null : state)}
            >
              <span className={classes.swatch} data-tone={waits ? 'none' : toneOf(state)} aria-hidden />
              <span>{nameOf(state)}</span>
              <span className={classes.entryCount}>{formats.number(props.tally[state])}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
