import { Skeleton } from '@mantine/core'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { RowMenu } from '../actions/row-menu.tsx'
import { shownColumns } from './column-choice.ts'
import type { Column } from './columns.tsx'
import { RowCheck, RowLink } from './list-row.tsx'
import { hasMenu, isSelectable } from './parts.ts'
import { rowId } from './options.ts'
import { isChosen } from './selection.ts'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

const MOST_FACTS = 6
const SKELETON_CARDS = 6

/** The rows as cards, for a phone's width. */
export function ListCards<T>({ list }: { list: ListHandle<T> }) {
  const columns = shownColumns(list.options.columns, list.choice)
  if (list.data.isPending)
    return (
      <div className={classes.cards}>
        {Array.from({ length: SKELETON_CARDS }, (_, at) => (
          <div key={at} className={classes.card}>
            <Skeleton height={16} width={`${70 - at * 5}%`} />
            <Skeleton height={12} width="45%" mt={10} />
          </div>
        ))}
      </div>
    )
  return (
    <ul className={classes.cards}>
      {list.rows.map((row, at) =>
        row === undefined ? null : <Card key={rowId(row) || at} list={list} row={row} columns={columns} />,
      )}
    </ul>
  )
}

function Card<T>({ list, row, columns }: { list: ListHandle<T>; row: T; columns: Column<T>[] }) {
  const t = useKitText()
  const id = rowId(row)
  const name = list.nameOf(row)
  const href = list.hrefOf(row)
  const head = columns.find(({ isName }) => isName) ?? columns[0]
  const statuses = columns.filter((column) => column.isStatus && column.phone !== false)
  const facts = columns
    .filter((column) => column !== head && !column.isStatus && column.phone !== false)
    .filter((column) => !column.isEmpty?.(row))
    .slice(0, MOST_FACTS)
  const chosen = isChosen(list.chosen, id)
  return (
    <li className={classes.card} data-chosen={chosen || undefined}>
      <div className={classes.cardHead}>
        {isSelectable(list) && (
          <RowCheck list={list} id={id} label={t('list.select', { name })} checked={chosen} />
        )}
        <div className={classes.cardName}>
          {head && href !== undefined ? (
            <RowLink href={href}>{head.render(row, list.feature)}</RowLink>
          ) : (
            head?.render(row, list.feature)
          )}
        </div>
        {hasMenu(list) && (
          <RowMenu
            feature={list.feature}
            actions={list.options.actions ?? []}
            row={row}
            name={name}
            onOpen={list.hold}
          />
        )}
      </div>
      {statuses.length > 0 && (
        <div className={classes.cardStatuses}>
          {statuses.map((column) => (
            <span key={column.id}>{column.render(row, list.feature)}</span>
          ))}
        </div>
      )}
      {facts.length > 0 && (
        <dl className={classes.cardFacts}>
          {facts.map((column) => (
            <div key={column.id}>
              <dt>{fieldLabel(list.feature, column.label ?? column.id)}</dt>
              <dd>{column.render(row, list.feature)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}
