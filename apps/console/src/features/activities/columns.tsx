import type { ActivityFigures, ActivityRow } from '@weft/contract/activities/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import type { Tones } from '../../kit/status/tones.ts'
import { Dash, Num } from '../../kit/values/values.tsx'
import { optionLabel } from '../../lib/i18n/names.ts'
import classes from './activities.module.css'
import { NamedIcon } from '../workflows/activity-icon.tsx'

const col = columnsOf<ActivityRow>()
const STATE_TONES: Tones = { on: 'green', off: 'neutral', noVersion: 'amber' }
const EFFECT_TONES: Tones = { none: 'neutral', read: 'blue', write: 'amber', irreversible: 'red' }

/** Whether an activity is offered: a custom one only once it has a version. */
export function stateOf({ enabled, activityVersion }: ActivityRow): 'on' | 'off' | 'noVersion' {
  if (!enabled) return 'off'
  return activityVersion === null ? 'noVersion' : 'on'
}

/** On, off, or without a version yet. */
export function StateBadge({ row }: { row: ActivityRow }) {
  return <StatusBadge value={stateOf(row)} feature="activities" field="state" tones={STATE_TONES} />
}

/** What an activity may do to the world. */
export function EffectBadge({ row }: { row: ActivityRow }) {
  return <StatusBadge value={row.sideEffect} feature="activities" field="sideEffect" tones={EFFECT_TONES} />
}

/** The share of runs that failed at this activity, as a percentage; null where none ended. */
export function failureShare({ runs, failed }: ActivityFigures): number | null {
  return runs === 0 ? null : (failed * 100) / runs
}

/** The columns of the list of activities; the figures come by a call of their own. */
export function activityColumns(
  titleOf: (row: ActivityRow) => string,
  figuresOf: (id: string) => ActivityFigures | undefined,
) {
  const figure = (id: string, value: (figures: ActivityFigures) => number | null, digits = 0) =>
    col.cell(
      id,
      (row) => {
        const figures = figuresOf(row.id) ?? { id: row.id, workflows: 0, releases: 0, runs: 0, failed: 0 }
        const number = value(figures)
        return number === null ? <Dash /> : <Num value={number} digits={digits} />
      },
      { sort: false, align: 'end' },
    )
  return [
    {
      ...col.cell(
        'title',
        (row) => (
          <span className={classes.title}>
            <NamedIcon name={row.icon} size={18} />
            <bdi>{titleOf(row)}</bdi>
          </span>
        ),
        { sort: false, isName: true, grow: true },
      ),
      text: titleOf,
    },
    col.cell('state', (row) => <StateBadge row={row} />, { sort: false }),
    col.option('category'),
    col.cell('sideEffect', (row) => <EffectBadge row={row} />, { sort: false }),
    col.number('activityVersion', { sort: false }),
    figure('workflows', ({ workflows }) => workflows),
    figure('releases', ({ releases }) => releases),
    figure('runs', ({ runs }) => runs),
    figure('failureShare', failureShare, 1),
    col.cell('builtIn', (row) => optionLabel('activities', 'builtIn', String(row.builtIn)), {
      sort: false,
      hidden: true,
    }),
    col.date('updatedAt', { sort: false, hidden: true }),
  ]
}
