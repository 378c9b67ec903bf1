import { Skeleton } from '@mantine/core'
import type { Column } from './columns.tsx'
import type { ListHandle } from './handle.ts'
import { ListRow } from './list-row.tsx'
import { hasMenu, isSelectable } from './parts.ts'
import classes from './list.module.css'

/** The row at a place of the list, or its shape while it is not there yet. */
export function RowAt<T>(props: { list: ListHandle<T>; columns: Column<T>[]; at: number }) {
  const { list, columns } = props
  const row = list.rows[props.at]
  if (row !== undefined) return <ListRow list={list} row={row} columns={columns} />
  return (
    <tr className={classes.row}>
      {isSelectable(list) && <td className={classes.check}>{''}</td>}
      {columns.map((column, at) => (
        <td key={column.id} data-align={column.align}>
          <Skeleton height={14} width={column.isName ? '60%' : `${70 - ((at * 13) % 35)}%`} />
        </td>
      ))}
      {hasMenu(list) && <td className={classes.menu}>{''}</td>}
    </tr>
  )
}
