import { ALL_ROWS } from '@weft/contract/core/list'
import { Suspense, lazy, useMemo, useRef } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { CHECK_WIDTH, placeColumns } from './arrangement.ts'
import { HeadCell } from './head-cell.tsx'
import { useHolding } from './use-holding.ts'
import { useListKeys } from './use-list-keys.ts'
import { rowId } from './options.ts'
import { hasMenu, isSelectable } from './parts.ts'
import { RowAt } from './row-at.tsx'
import { SelectPage } from './select-page.tsx'
import type { ListHandle } from './handle.ts'
import type { TableLayout } from './layout.ts'
import classes from './list.module.css'

const SKELETON_ROWS = 8

// Only who asks for all rows needs what keeps a window of them.
const WindowedRows = lazy(() => import('./windowed-rows.tsx'))

/** The rows as a table: sticky head, sorting, choice of rows, keys; All is windowed. */
export function ListTable({ list }: { list: ListHandle }) {
  const scroller = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const { columns } = list.options
  const { arrangement } = list
  const selectable = isSelectable(list)
  const menu = hasMenu(list)
  const layout = useMemo<TableLayout<unknown>>(
    () => ({ placed: placeColumns(columns, arrangement, selectable ? CHECK_WIDTH : 0), selectable, menu }),
    [columns, arrangement, selectable, menu],
  )
  const isAll = list.state.perPage === ALL_ROWS
  useListKeys(scroller, list)
  useHolding(scroller, list)
  const widths = Object.fromEntries(
    layout.placed.flatMap(({ width }, at) => (width === undefined ? [] : [[`--w${at}`, `${width}px`]])),
  )
  const row = (at: number) => (
    <RowAt key={rowId(list.rowAt(at)) || `at${at}`} list={list} layout={layout} at={at} />
  )
  const count = list.data.isPending ? SKELETON_ROWS : list.rowCount
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      data-all={isAll || undefined}
      data-pinned={arrangement.pinned.length > 0 || undefined}
      // What scrolls sideways must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={list.feature}
    >
      <table
        ref={table}
        className={classes.table}
        data-stale={list.data.isStale || undefined}
        aria-rowcount={isAll ? list.rowCount + 1 : undefined}
        style={widths}
      >
        <ListHead list={list} layout={layout} table={table} />
        {isAll ? (
          <Suspense fallback={<tbody>{Array.from({ length: SKELETON_ROWS }, (_, at) => row(at))}</tbody>}>
            <WindowedRows
              count={count}
              span={layout.placed.length + 2}
              scroller={scroller}
              look={list.data.look}
              place={JSON.stringify([
                list.state.q,
                list.state.filters,
                list.state.sortBy,
                list.state.sortDesc,
              ])}
              row={(at, slot) => <RowAt key={slot} list={list} layout={layout} at={at} fixed />}
            />
          </Suspense>
        ) : (
          <tbody>{Array.from({ length: count }, (_, at) => row(at))}</tbody>
        )}
      </table>
    </section>
  )
}

function ListHead<T>(props: {
  list: ListHandle<T>
  layout: TableLayout<T>
  table: React.RefObject<HTMLTableElement | null>
}) {
  const t = useKitText()
  const { list, layout } = props
  return (
    <thead>
      <tr>
        {layout.selectable && (
          <th scope="col" className={classes.check}>
            <SelectPage list={list} />
          </th>
        )}
        {layout.placed.map((placed, at) => (
          <HeadCell key={placed.column.id} list={list} placed={placed} at={at} table={props.table} />
        ))}
        {layout.menu && (
          <th scope="col" className={classes.menu}>
            <span className="unseen">{t('fields.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
