import { Button } from '@mantine/core'
import { ALL_ROWS } from '@weft/contract/core/list'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { shownColumns } from './arrangement.ts'
import { CardsBar } from './cards-bar.tsx'
import type { Column } from './columns.tsx'
import { MenuOfRow, RowCheck, RowLink } from './list-row.tsx'
import { hasMenu, isSelectable } from './parts.ts'
import { rowId } from './options.ts'
import { isChosen } from './selection.ts'
import type { ListHandle } from './handle.ts'
import { Bone } from '../states/bone.tsx'
import classes from './list.module.css'

const MOST_FACTS = 6
const SKELETON_CARDS = 6

/** The rows as cards, for a phone's width. */
export default function ListCards<T>({ list }: { list: ListHandle<T> }) {
  const t = useKitText()
  const columns = shownColumns(list.options.columns, list.arrangement)
  if (list.data.isPending)
    return (
      <div className={classes.cards}>
        {Array.from({ length: SKELETON_CARDS }, (_, at) => (
          <div key={at} className={classes.card}>
            <Bone height={16} width={`${70 - at * 5}%`} />
            <Bone height={12} width="45%" />
          </div>
        ))}
      </div>
    )
  const more = list.state.perPage === ALL_ROWS && list.rows.length < (list.data.total ?? 0)
  return (
    <>
      <CardsBar list={list} />
      <ul className={classes.cards}>
        {list.rows.map((row, at) =>
          row === undefined ? null : <Card key={rowId(row) || at} list={list} row={row} columns={columns} />,
        )}
      </ul>
      {more && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={list.data.isFetching}
            onClick={() => list.data.look(0, list.rows.length)}
          >
            {t('list.loadMore')}
          </Button>
        </div>
      )}
    </>
  )
}

function Card<T>({ list, row, columns }: { list: ListHandle<T>; row: T; columns: Column<T>[] }) {
  const t = useKitText()
  const id = rowId(row)
  const name = list.nameOf(row)
  const address = list.addressOf(row)
  const head = columns.find(({ isName }) => isName) ?? columns[0]
  const statuses = columns.filter((column) => column.isStatus && column.phone !== false)
  const facts = columns
    .filter((column) => column !== head && !column.isStatus && column.phone !== false)
    .filter((column) => !column.isEmpty?.(row))
    .slice(0, MOST_FACTS)
  const chosen = isChosen(list.chosen, id)
  return (
    <li
      className={classes.card}
      data-row={id}
      data-chosen={chosen || undefined}
      data-gone={list.gone.has(id) || undefined}
    >
      <div className={classes.cardHead}>
        {isSelectable(list) && (
          <RowCheck list={list} id={id} label={t('list.select', { name })} checked={chosen} />
        )}
        <div className={classes.cardName} data-column={head?.id}>
          {head && address !== undefined ? (
            <RowLink list={list} row={row} address={address}>
              {head.render(row, list.feature)}
            </RowLink>
          ) : (
            head?.render(row, list.feature)
          )}
        </div>
        {hasMenu(list) && <MenuOfRow list={list} row={row} name={name} />}
      </div>
      {statuses.length > 0 && (
        <div className={classes.cardStatuses}>
          {statuses.map((column) => (
            <span key={column.id} data-column={column.id}>
              {column.render(row, list.feature)}
            </span>
          ))}
        </div>
      )}
      {facts.length > 0 && (
        <dl className={classes.cardFacts}>
          {facts.map((column) => (
            <div key={column.id}>
              <dt>{fieldLabel(list.feature, column.label ?? column.id)}</dt>
              <dd data-column={column.id}>{column.render(row, list.feature)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  )
}
