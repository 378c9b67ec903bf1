import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState, type RefObject } from 'react'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { toast } from '../toast/toast.ts'
import { LEAST_WIDTH, MOST_WIDTH, resizeColumn, type PlacedColumn } from './arrangement.ts'
import { sortKeyOf } from './columns.tsx'
import { cellStyle } from './layout.ts'
import { nextSort } from './url-state.ts'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

/** The head of a column: its name, which sorts, and its edge, which makes it wider. */
export function HeadCell<T>(props: {
  list: ListHandle<T>
  placed: PlacedColumn<T>
  at: number
  table: RefObject<HTMLTableElement | null>
}) {
  const t = useKitText()
  const { list, placed, at } = props
  const { column } = placed
  const label = fieldLabel(list.feature, column.label ?? column.id)
  const key = sortKeyOf(column)
  const sorts = key !== undefined && list.sortable.includes(key)
  const active = sorts && list.state.sortBy === key
  const usual = column.width ? { width: column.width, minWidth: column.width } : undefined
  return (
    <th
      scope="col"
      style={cellStyle(placed, at) && placed.width !== undefined ? cellStyle(placed, at) : usual}
      data-align={column.align}
      data-grow={(column.grow && placed.width === undefined) || undefined}
      data-pinned={placed.start !== undefined || undefined}
      data-edge={placed.edge || undefined}
      aria-sort={active ? (list.state.sortDesc ? 'descending' : 'ascending') : undefined}
    >
      {sorts ? (
        <button
          type="button"
          className={classes.sort}
          data-active={active || undefined}
          onClick={() => list.setState(nextSort(list.state, key))}
        >
          {label}
          {active && list.state.sortDesc ? (
            <IconArrowDown size={14} aria-hidden />
          ) : (
            <IconArrowUp size={14} aria-hidden />
          )}
          {active && (
            <span className="unseen">
              {list.state.sortDesc ? t('list.sortedDescending') : t('list.sortedAscending')}
            </span>
          )}
        </button>
      ) : (
        label
      )}
      <Edge {...props} label={t('list.widthOf', { name: label })} />
    </th>
  )
}

/** Dragged, or moved by the arrow keys, it sets the column's width; twice clicked, the column is as wide as it likes. */
function Edge<T>(props: {
  list: ListHandle<T>
  placed: PlacedColumn<T>
  at: number
  table: RefObject<HTMLTableElement | null>
  label: string
}) {
  const { list, placed, at, table } = props
  // How wide a column has become that nobody has set: looked at when somebody comes to its edge.
  const [natural, setNatural] = useState<number | undefined>(undefined)
  const keep = (width: number | null) =>
    list.setArrangement(resizeColumn(list.arrangement, placed.column.id, width))
  return (
    <span
      // A rule that can be moved, which the element of that name cannot.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="vertical"
      aria-label={props.label}
      aria-valuenow={placed.width ?? natural ?? placed.column.width ?? LEAST_WIDTH}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      // A separator that can be moved is a control.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={classes.edge}
      onFocus={({ currentTarget }) => setNatural(currentTarget.closest('th')?.offsetWidth)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        event.preventDefault()
        event.stopPropagation()
        const { currentTarget: edge, key } = event
        loadEdge()
          .then(({ step }) => keep(step(edge, key)))
          .catch(toast.failure)
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        const { currentTarget: edge, clientX, pointerId } = event
        edge.setPointerCapture(pointerId)
        loadEdge()
          .then(({ drag }) =>
            drag(
              { edge, from: clientX, pointerId, fixed: placed.width !== undefined, table: table.current, at },
              keep,
            ),
          )
          .catch(toast.failure)
      }}
      onDoubleClick={() => keep(null)}
    />
  )
}

// How it moves comes with the first who moves it.
const loadEdge = () => import('./edge.ts')
