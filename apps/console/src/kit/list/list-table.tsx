import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { ALL_ROWS } from '@weft/contract/core/list'
import { Suspense, lazy, useEffect, useRef } from 'react'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { shownColumns } from './column-choice.ts'
import type { Column } from './columns.tsx'
import { rowId } from './options.ts'
import { hasMenu, isSelectable } from './parts.ts'
import { RowAt } from './row-at.tsx'
import { togglePage } from './selection.ts'
import { nextSort } from './url-state.ts'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

const SKELETON_ROWS = 8

// Only who asks for all rows needs what keeps a window of them.
const WindowedRows = lazy(() => import('./windowed-rows.tsx'))

/** The rows as a table: sticky head, sorting, choice of rows, keys; All is windowed. */
export function ListTable<T>({ list }: { list: ListHandle<T> }) {
  const scroller = useRef<HTMLDivElement>(null)
  const columns = shownColumns(list.options.columns, list.choice)
  const isAll = list.state.perPage === ALL_ROWS
  const count = list.data.isPending ? SKELETON_ROWS : list.rows.length
  useEffect(() => {
    const box = scroller.current
    box?.addEventListener('keydown', moveBetweenRows)
    return () => box?.removeEventListener('keydown', moveBetweenRows)
  }, [])
  const row = (at: number) => (
    <RowAt key={rowId(list.rows[at]) || `at${at}`} list={list} columns={columns} at={at} />
  )
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      data-all={isAll || undefined}
      // What scrolls sideways must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={list.feature}
      onPointerEnter={() => list.hold(true)}
      onPointerLeave={() => list.hold(false)}
    >
      <table className={classes.table} data-stale={list.data.isStale || undefined}>
        <ListHead list={list} columns={columns} />
        {isAll ? (
          <Suspense>
            <WindowedRows
              count={count}
              span={columns.length + 2}
              scroller={scroller}
              look={list.data.look}
              row={row}
            />
          </Suspense>
        ) : (
          <tbody>{Array.from({ length: count }, (_, at) => row(at))}</tbody>
        )}
      </table>
    </section>
  )
}

function ListHead<T>({ list, columns }: { list: ListHandle<T>; columns: Column<T>[] }) {
  const t = useKitText()
  const ids = list.rows.map(rowId).filter(Boolean)
  const { chosen } = list
  const all = chosen.kind === 'all' || (ids.length > 0 && ids.every((id) => chosen.ids.has(id)))
  const some = chosen.kind === 'some' && ids.some((id) => chosen.ids.has(id))
  return (
    <thead>
      <tr>
        {isSelectable(list) && (
          <th scope="col" className={classes.check}>
            <Checkbox
              size="xs"
              checked={all}
              indeterminate={some && !all}
              onChange={() => list.setChosen(togglePage(chosen, ids))}
              aria-label={t('list.selectPage')}
            />
          </th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.id} list={list} column={column} />
        ))}
        {hasMenu(list) && (
          <th scope="col" className={classes.menu}>
            <span className="unseen">{t('fields.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function HeadCell<T>({ list, column }: { list: ListHandle<T>; column: Column<T> }) {
  const t = useKitText()
  const label = fieldLabel(list.feature, column.label ?? column.id)
  const key = typeof column.sort === 'string' ? column.sort : column.id
  const sorts = column.sort !== false && list.sortable.includes(key)
  const active = sorts && list.state.sortBy === key
  const style = column.width ? { width: column.width, minWidth: column.width } : undefined
  return (
    <th
      scope="col"
      style={style}
      data-align={column.align}
      data-grow={column.grow || undefined}
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
    </th>
  )
}

/** Arrow keys go from row to row, to the link that opens it. */
function moveBetweenRows(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (!(event.target instanceof HTMLElement) || event.target.closest('[role="menu"], input[type="text"]'))
    return
  const row = event.target.closest('tbody tr')
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling
  const link = next?.querySelector<HTMLElement>('[data-row-link]')
  if (!link) return
  event.preventDefault()
  link.focus()
}
