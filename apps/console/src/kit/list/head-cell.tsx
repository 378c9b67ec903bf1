import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { LEAST_WIDTH, MOST_WIDTH, resizeColumn, type PlacedColumn } from './arrangement.ts'
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
  const key = typeof column.sort === 'string' ? column.sort : column.id
  const sorts = column.sort !== false && list.sortable.includes(key)
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

const STEP = 16

/** Dragged, or moved by the arrow keys, it sets the column's width; twice clicked, the column is as wide as it likes. */
function Edge<T>(props: {
  list: ListHandle<T>
  placed: PlacedColumn<T>
  at: number
  table: RefObject<HTMLTableElement | null>
  label: string
}) {
  const { list, placed, at, table } = props
  const { id } = placed.column
  const keep = (width: number | null) => list.setArrangement(resizeColumn(list.arrangement, id, width))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    event.stopPropagation()
    const towardsEnd = (event.key === 'ArrowRight') === (document.dir !== 'rtl')
    keep(widthOf(event.currentTarget) + (towardsEnd ? STEP : -STEP))
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    const edge = event.currentTarget
    edge.setPointerCapture(event.pointerId)
    const [from, begun] = [event.clientX, widthOf(edge)]
    let width = begun
    // From now on all cells of the column have the width that the variable says.
    if (placed.width === undefined) keep(begun)
    const move = (moved: globalThis.PointerEvent) => {
      const by = (moved.clientX - from) * (document.dir === 'rtl' ? -1 : 1)
      width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, begun + by))
      table.current?.style.setProperty(`--w${at}`, `${width}px`)
    }
    const end = () => {
      edge.removeEventListener('pointermove', move)
      if (width !== begun) keep(width)
    }
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', end, { once: true })
  }
  return (
    <span
      // A rule that can be moved, which the element of that name cannot.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="vertical"
      aria-label={props.label}
      aria-valuenow={placed.width ?? LEAST_WIDTH}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      // A separator that can be moved is a control.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={classes.edge}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDoubleClick={() => keep(null)}
    />
  )
}

function widthOf(edge: HTMLElement): number {
  return edge.closest('th')?.offsetWidth ?? LEAST_WIDTH
}
