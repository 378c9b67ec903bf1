import { ActionIcon, Table, VisuallyHidden } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useT } from '../text.ts'
import classes from '../projects.module.css'

/** A narrow screen lays the rows out as blocks, and some browsers then take from a table's elements what they are. */
const IS = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

/** A short table whose rows can be changed and taken away one by one. */
export function Rows<Row>(props: {
  label: string
  heads: readonly string[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  cells: (row: Row) => readonly ReactNode[]
  /** Rows that stay as they are. */
  fixed?: (row: Row) => boolean
  edit?: ((row: Row) => void) | undefined
  remove?: ((row: Row) => void) | undefined
}) {
  const t = useT()
  const { edit, remove, keyOf } = props
  const changes = edit !== undefined || remove !== undefined
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table {...IS.table} aria-label={props.label} verticalSpacing={8} className={classes.rows}>
        <Table.Thead {...IS.group}>
          <Table.Tr {...IS.row}>
            {props.heads.map((head) => (
              <Table.Th key={head} {...IS.head}>
                {head}
              </Table.Th>
            ))}
            {changes && (
              <Table.Th {...IS.head}>
                <VisuallyHidden>{t('rows.actions')}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody {...IS.group}>
          {props.rows.map((row) => (
            <Table.Tr key={keyOf(row)} {...IS.row}>
              {props.cells(row).map((cell, index) => (
                <Table.Td
                  key={props.heads[index]}
                  {...IS.cell}
                  className={classes.cell}
                  data-head={props.heads[index]}
                >
                  {cell}
                </Table.Td>
              ))}
              {changes && (
                <Table.Td {...IS.cell} className={classes.tools}>
                  {edit && !props.fixed?.(row) && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('rows.edit', { name: keyOf(row) })}
                      onClick={() => edit(row)}
                    >
                      <IconPencil size={16} aria-hidden />
                    </ActionIcon>
                  )}
                  {remove && !props.fixed?.(row) && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t('rows.remove', { name: keyOf(row) })}
                      onClick={() => remove(row)}
                    >
                      <IconTrash size={16} aria-hidden />
                    </ActionIcon>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
