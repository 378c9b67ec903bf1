import { memo } from 'react'
import type { ListHandle } from './handle.ts'
import type { TableLayout } from './layout.ts'
import { ListRow } from './list-row.tsx'
import { Bone } from '../states/bone.tsx'
import classes from './list.module.css'

/**
 * The row at a place of the list, or its shape while it is not there yet. Drawn anew only when something of it changes:
 * while All is scrolled, most rows stay as they are.
 */
export const RowAt = memo(function RowAt(props: {
  list: ListHandle
  layout: TableLayout<unknown>
  at: number
  /** One of All, where hundreds pass by. */
  fixed?: boolean
}) {
  const { list, layout, at } = props
  const row = list.rowAt(at)
  if (row !== undefined) return <ListRow list={list} row={row} at={at} layout={layout} />
  return (
    <tr className={classes.row} aria-rowindex={at + 2}>
      {layout.selectable && <td className={classes.check}>{''}</td>}
      {layout.placed.map(({ column, start, edge }, index) => (
        <td
          key={column.id}
          data-align={column.align}
          data-pinned={start !== undefined || undefined}
          data-edge={edge || undefined}
          style={start === undefined ? undefined : { insetInlineStart: start }}
        >
          {''}
          <Bone
            height={14}
            width={column.isName ? '60%' : `${70 - ((index * 13) % 35)}%`}
            still={props.fixed ?? false}
          />
        </td>
      ))}
      {layout.menu && <td className={classes.menu}>{''}</td>}
    </tr>
  )
})
