import { Checkbox } from '@mantine/core'
import { useRef, type MouseEvent } from 'react'
import { Link, useHref, useSearchParams } from 'react-router'
import { useKitText } from '../../lib/i18n/texts.ts'
import { RowMenu } from '../actions/row-menu.tsx'
import type { Column } from './columns.tsx'
import { hasMenu, isRowClick, isSelectable } from './parts.ts'
import { rowId } from './options.ts'
import { chooseRange, isChosen, toggleRow } from './selection.ts'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

let lastToggled = ''

/** One row: opens on a click, in a new tab on a middle click; its menu at the end. */
export function ListRow<T>(props: { list: ListHandle<T>; row: T; columns: readonly Column<T>[] }) {
  const { list, row, columns } = props
  const t = useKitText()
  const id = rowId(row)
  const name = list.nameOf(row)
  const href = list.hrefOf(row)
  const absolute = useHref(href ?? '.')
  const isChosenNow = isChosen(list.chosen, id)
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (href === undefined || !isRowClick(event)) return
    if (event.ctrlKey || event.metaKey) window.open(absolute, '_blank')
    else list.open(row)
  }
  return (
    <tr
      className={classes.row}
      data-chosen={isChosenNow || undefined}
      data-opens={href !== undefined || undefined}
      onClick={onClick}
      onAuxClick={(event) => {
        if (event.button === 1 && href !== undefined && isRowClick(event)) window.open(absolute, '_blank')
      }}
    >
      {isSelectable(list) && (
        <td className={classes.check}>
          <RowCheck list={list} id={id} label={t('list.select', { name })} checked={isChosenNow} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-align={column.align}
          data-grow={column.grow || undefined}
          data-name={column.isName || undefined}
          style={column.width ? { maxWidth: column.width } : undefined}
        >
          {column.isName && href !== undefined ? (
            <RowLink href={href}>{column.render(row, list.feature)}</RowLink>
          ) : (
            column.render(row, list.feature)
          )}
        </td>
      ))}
      {hasMenu(list) && (
        <td className={classes.menu}>
          <RowMenu
            feature={list.feature}
            actions={list.options.actions ?? []}
            row={row}
            name={name}
            onOpen={list.hold}
          />
        </td>
      )}
    </tr>
  )
}

/** The link on a row's name; a drawer opens over the list as it stands, so the list's address goes along. */
export function RowLink({ href, children }: { href: string; children: React.ReactNode }) {
  const [search] = useSearchParams()
  return (
    <Link
      to={href.startsWith('/') ? href : { pathname: href, search: search.toString() }}
      className={classes.link}
      data-row-link
    >
      {children}
    </Link>
  )
}

/** Chooses a row; with the shift key all from the last one on. */
export function RowCheck<T>(props: { list: ListHandle<T>; id: string; label: string; checked: boolean }) {
  const { list, id } = props
  const withShift = useRef(false)
  return (
    <Checkbox
      size="xs"
      aria-label={props.label}
      checked={props.checked}
      onClick={(event) => {
        withShift.current = event.shiftKey
      }}
      onChange={() => {
        const ids = list.rows.map(rowId).filter(Boolean)
        list.setChosen(
          withShift.current && lastToggled
            ? chooseRange(list.chosen, lastToggled, id, ids)
            : toggleRow(list.chosen, id, ids),
        )
        lastToggled = id
      }}
    />
  )
}
