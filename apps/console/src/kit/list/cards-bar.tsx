import { ActionIcon } from '@mantine/core'
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react'
import { useId } from 'react'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { sortKeyOf } from './columns.tsx'
import type { ListHandle } from './handle.ts'
import { isSelectable } from './parts.ts'
import { SelectPage } from './select-page.tsx'
import { useListText } from './text.ts'
import classes from './list.module.css'

/** What the head of a table is for: choosing the whole page, and sorting. */
export function CardsBar<T>({ list }: { list: ListHandle<T> }) {
  const t = useListText()
  const kit = useKitText()
  const id = useId()
  const { sortBy, sortDesc } = list.state
  const sorts = list.options.columns.flatMap((column) => {
    const key = sortKeyOf(column)
    return key !== undefined && list.sortable.includes(key)
      ? [{ key, label: fieldLabel(list.feature, column.label ?? column.id) }]
      : []
  })
  const Direction = sortDesc ? IconSortDescending : IconSortAscending
  return (
    <div className={classes.cardsBar}>
      {isSelectable(list) && (
        <label className={classes.choice}>
          <SelectPage list={list} />
          <span aria-hidden>{kit('common.all')}</span>
        </label>
      )}
      {sorts.length > 0 && (
        <span className={classes.cardsSort}>
          <label htmlFor={id}>{t('cards.sortBy')}</label>
          <select
            id={id}
            value={sortBy ?? ''}
            onChange={(event) =>
              list.setState({ sortBy: event.currentTarget.value || null, sortDesc: false, page: 1 })
            }
          >
            <option value="">{t('cards.usual')}</option>
            {sorts.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
          {sortBy !== null && (
            <ActionIcon
              aria-label={t(sortDesc ? 'cards.ascending' : 'cards.descending')}
              onClick={() => list.setState({ sortDesc: !sortDesc, page: 1 })}
            >
              <Direction size={18} />
            </ActionIcon>
          )}
        </span>
      )}
    </div>
  )
}
