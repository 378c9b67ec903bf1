import { useState, type MouseEvent, type ReactNode } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { RowMenu } from '../actions/row-menu.tsx'
import { Box } from './box.tsx'
import { fieldOfColumn } from './fields.ts'
import { cellStyle, type TableLayout } from './layout.ts'
import { isRowClick, rowActions } from './parts.ts'
import { rowId } from './options.ts'
import { chooseRange, isChosen, toggleRow } from './selection.ts'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

let lastToggled = ''
/** A click on a cell that can be edited waits for a second one before it opens the row. */
const SECOND_CLICK_MS = 240

/** One row: opens on a click, in a new tab on a middle click; its menu at the end. */
export function ListRow<T>(props: { list: ListHandle<T>; row: T; at: number; layout: TableLayout<T> }) {
  const { list, row, layout } = props
  const t = useKitText()
  const id = rowId(row)
  const name = list.nameOf(row)
  const address = list.addressOf(row)
  const isChosenNow = isChosen(list.chosen, id)
  const isGone = list.gone.has(id)
  const onClick = (event: MouseEvent<HTMLElement>) => {
    // The second of two clicks means the cell.
    list.opening.stop()
    if (event.detail > 1 || address === undefined || !isRowClick(event)) return
    if (event.ctrlKey || event.metaKey) window.open(address, '_blank')
    else if (event.target instanceof Element && event.target.closest('td[data-edits]'))
      list.opening.start(() => list.open(row), SECOND_CLICK_MS)
    else list.open(row)
  }
  return (
    <tr
      className={classes.row}
      data-row={id}
      aria-rowindex={props.at + 2}
      data-chosen={isChosenNow || undefined}
      data-opens={address !== undefined || undefined}
      data-gone={isGone || undefined}
      data-news={useNews(row)}
      onClick={onClick}
      onAuxClick={(event) => {
        if (event.button === 1 && address !== undefined && isRowClick(event)) window.open(address, '_blank')
      }}
    >
      {layout.selectable && (
        <td className={classes.check}>
          <RowCheck list={list} id={id} label={t('list.select', { name })} checked={isChosenNow} />
        </td>
      )}
      {layout.placed.map((placed, at) => {
        const { column } = placed
        const field = fieldOfColumn(list.options.fields, column.id)
        const shown = column.render(row, list.feature)
        return (
          <td
            key={column.id}
            data-column={column.id}
            data-align={column.align}
            data-grow={(column.grow && placed.width === undefined) || undefined}
            data-name={column.isName || undefined}
            data-pinned={placed.start !== undefined || undefined}
            data-edge={placed.edge || undefined}
            data-edits={(field !== undefined && !list.trash && mayUpdate(row)) || undefined}
            style={cellStyle(placed, at)}
          >
            {column.isName && address !== undefined ? (
              <RowLink list={list} row={row} address={address}>
                {shown}
              </RowLink>
            ) : (
              shown
            )}
          </td>
        )
      })}
      {layout.menu && (
        <td className={classes.menu}>
          {/* Another row's menu is another menu, also where rows take turns in one place. */}
          <MenuOfRow key={id} list={list} row={row} name={name} />
        </td>
      )}
    </tr>
  )
}

/** Whether this person may change the row now. */
export function mayUpdate(row: unknown): boolean {
  return (
    row !== null &&
    typeof row === 'object' &&
    'can' in row &&
    Array.isArray(row.can) &&
    row.can.includes('update')
  )
}

/** Tells one change of a row from the next: the row lights up softly each time. */
function useNews(row: unknown): 'a' | 'b' | undefined {
  const id = rowId(row)
  const version = row !== null && typeof row === 'object' && 'version' in row ? row.version : undefined
  const [seen, setSeen] = useState({ id, version, times: 0 })
  if (seen.id !== id) setSeen({ id, version, times: 0 })
  else if (seen.version !== version) setSeen({ id, version, times: seen.times + 1 })
  return seen.times === 0 ? undefined : seen.times % 2 === 0 ? 'a' : 'b'
}

/** The link on a row's name; a drawer opens over the list as it stands, so the list's address goes along. */
export function RowLink<T>(props: { list: ListHandle<T>; row: T; address: string; children: ReactNode }) {
  return (
    <a
      href={props.address}
      className={classes.link}
      data-row-link
      onClick={(event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        props.list.open(props.row)
      }}
    >
      {props.children}
    </a>
  )
}

/** What can be done with a row; while it is open the rows stay where they are. */
export function MenuOfRow<T>({ list, row, name }: { list: ListHandle<T>; row: T; name: string }) {
  return (
    <RowMenu
      feature={list.feature}
      actions={() => rowActions(list)}
      row={row}
      name={name}
      onOpen={(open) => list.hold('menu', open)}
      onDone={list.showWaiting}
    />
  )
}

/** Chooses a row; with the shift key all from the last one on. */
export function RowCheck<T>(props: { list: ListHandle<T>; id: string; label: string; checked: boolean }) {
  const { list, id } = props
  return (
    <Box
      label={props.label}
      checked={props.checked}
      onChange={({ shiftKey }) => {
        const ids = list.rows.map(rowId).filter(Boolean)
        list.setChosen(
          shiftKey && lastToggled
            ? chooseRange(list.chosen, lastToggled, id, ids)
            : toggleRow(list.chosen, id, ids),
        )
        lastToggled = id
      }}
    />
  )
}
