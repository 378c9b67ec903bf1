import { Tooltip } from '@mantine/core'
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconChevronDown,
  IconCircleX,
  IconCornerDownRight,
  IconPlus,
} from '@tabler/icons-react'
import { memo, type KeyboardEvent, type MouseEvent } from 'react'
import { sideEffectOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity } from '@weft/workflow/document'
import type { OutlineRow as Row } from '@weft/workflow/outline'
import type { Problem } from '@weft/workflow/validate'
import { StepSaid } from '../../../together/comments/step-said.tsx'
import { StepPeople } from '../../../together/presence/step-people.tsx'
import { ActivityIcon } from '../../activity-icon.tsx'
import { rowKey, type Position } from '../../model/rows.ts'
import { summaryOf } from '../../model/summary.ts'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { titleOf } from '../catalogue-text.ts'
import { StepMark } from '../test/step-mark.tsx'
import classes from './outline.module.css'

/** What happens to a row by the pointer. */
export type RowAct = (what: 'press' | 'open' | 'fold' | 'add' | 'menu', row: Row, event: MouseEvent) => void

interface RowProps {
  row: Row
  id: string
  position: Position
  focused: boolean
  selected: boolean
  /** Whether something lies below, and whether it is in sight. */
  inner: 'none' | 'open' | 'folded'
  problems: readonly Problem[]
  readOnly: boolean
  act: RowAct
  register: (key: string, element: HTMLDivElement | null) => void
}

/** Rows are made anew at each change; most of them say the same as before. */
function sameRow(a: Row, b: Row): boolean {
  if (a.unreachable !== b.unreachable) return false
  if (a.kind === 'step') return b.kind === 'step' && a.activity === b.activity
  return (
    b.kind === 'outcome' && a.owner === b.owner && a.outcome.name === b.outcome.name && a.empty === b.empty
  )
}

function sameInside(before: InsideProps, after: InsideProps): boolean {
  return (
    sameRow(before.row, after.row) &&
    before.inner === after.inner &&
    before.problems === after.problems &&
    before.readOnly === after.readOnly &&
    before.act === after.act
  )
}

function alike(before: RowProps, after: RowProps): boolean {
  return (
    sameInside(before, after) &&
    before.row.depth === after.row.depth &&
    before.position.index === after.position.index &&
    before.position.size === after.position.size &&
    before.focused === after.focused &&
    before.selected === after.selected
  )
}

/** One row of the outline: a step, or the heading of a body. */
export const OutlineRowView = memo(function OutlineRowView(props: RowProps) {
  const { row, focused, selected, inner, act, register } = props
  const key = rowKey(row)
  return (
    // The tree around the rows has the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={(element) => {
        register(key, element)
        return () => register(key, null)
      }}
      id={props.id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-posinset={props.position.index}
      aria-setsize={props.position.size}
      aria-selected={selected}
      {...(inner === 'none' ? {} : { 'aria-expanded': inner === 'open' })}
      tabIndex={focused ? 0 : -1}
      className={classes.row}
      data-kind={row.kind}
      data-selected={selected || undefined}
      data-disabled={(row.kind === 'step' && row.activity.disabled) || undefined}
      style={{ '--depth': row.depth }}
      onClick={(event) => act('press', row, event)}
      onDoubleClick={(event) => act('open', row, event)}
      onContextMenu={(event) => act('menu', row, event)}
    >
      <Inside row={row} inner={inner} problems={props.problems} readOnly={props.readOnly} act={act} />
    </div>
  )
}, alike)

type InsideProps = Pick<RowProps, 'row' | 'inner' | 'problems' | 'readOnly' | 'act'>

/** What a row says, which is the same wherever it stands and whoever is chosen. */
const Inside = memo(function Inside({ row, inner, problems, readOnly, act }: InsideProps) {
  return (
    <>
      <Fold inner={inner} fold={(event) => act('fold', row, event)} />
      {row.kind === 'step' ? (
        <StepRow activity={row.activity} unreachable={row.unreachable} problems={problems} />
      ) : (
        <BodyRow row={row} readOnly={readOnly} />
      )}
      {!readOnly && <AddHere add={(event) => act('add', row, event)} />}
    </>
  )
}, sameInside)

/** The pointer's way to fold; the keyboard has its arrows. */
function Fold({ inner, fold }: { inner: RowProps['inner']; fold: (event: MouseEvent) => void }) {
  if (inner === 'none') return <span className={classes.noFold} />
  return (
    <span
      className={classes.fold}
      data-folded={inner === 'folded' || undefined}
      aria-hidden
      onClick={(event) => {
        event.stopPropagation()
        fold(event)
      }}
    >
      <IconChevronDown size={14} />
    </span>
  )
}

function AddHere({ add }: { add: (event: MouseEvent) => void }) {
  const t = useT()
  return (
    // There are as many as there are steps: a plain button is made soonest.
    <button
      type="button"
      className={classes.addHere}
      tabIndex={-1}
      aria-label={t('outline.addHere')}
      onClick={(event) => {
        event.stopPropagation()
        add(event)
      }}
      onKeyDown={(event: KeyboardEvent) => event.stopPropagation()}
    >
      <IconPlus size={14} aria-hidden />
    </button>
  )
}

function StepRow(props: { activity: Activity; unreachable: boolean; problems: readonly Problem[] }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { activity, problems } = props
  const title = titleOf(activity.type, catalogue)
  const summary = summaryOf(activity)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const irreversible = sideEffectOf(activity) === 'irreversible'
  return (
    <>
      <span className={classes.icon}>
        <ActivityIcon type={activity.type} size={16} />
      </span>
      <span className={classes.words}>
        <span className={classes.title}>
          <bdi>{activity.name ? activity.name : title}</bdi>
        </span>
        {activity.name && <span className={classes.type}>{title}</span>}
        {summary && (
          <bdi className={classes.summary} dir="ltr">
            {summary}
          </bdi>
        )}
      </span>
      <span className={classes.marks}>
        <StepPeople stepId={activity.id} on="row" />
        <StepSaid stepId={activity.id} on="row" />
        <StepMark stepId={activity.id} />
        {activity.disabled && <span className={classes.mark}>{t('outline.disabled')}</span>}
        {props.unreachable && (
          <span className={classes.mark} data-tone="red">
            {t('outline.unreachable')}
          </span>
        )}
        {irreversible && (
          <Tooltip label={t('outline.irreversible')}>
            <span className={classes.mark} data-tone="violet">
              <IconAlertOctagon size={14} aria-hidden />
              <span className="unseen">{t('outline.irreversible')}</span>
            </span>
          </Tooltip>
        )}
        {problems.length > 0 && (
          <span className={classes.mark} data-tone={errors > 0 ? 'red' : 'amber'}>
            {errors > 0 ? <IconCircleX size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />}
            <span aria-hidden>{problems.length}</span>
            <span className="unseen">{t('problems.count', { count: problems.length })}</span>
          </span>
        )}
      </span>
    </>
  )
}

function BodyRow({ row, readOnly }: { row: Extract<Row, { kind: 'outcome' }>; readOnly: boolean }) {
  const t = useT()
  const catalogue = useCatalogueText()
  return (
    <>
      <span className={classes.bodyIcon} aria-hidden>
        <IconCornerDownRight size={14} className="flip-rtl" />
      </span>
      <span className={classes.words}>
        <span className={classes.bodyTitle}>{catalogue(row.outcome.labelKey, row.outcome.labelParams)}</span>
        {row.empty && (
          <span className={classes.type}>
            {readOnly ? t('outline.emptyBody') : t('outline.emptyBodyAdd')}
          </span>
        )}
      </span>
    </>
  )
}
