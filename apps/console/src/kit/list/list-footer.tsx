import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { ALL_ROWS, PAGE_SIZES } from '@weft/contract/core/list'
import { useId } from 'react'
import { shutIf } from '../actions/shut.ts'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

/** Which rows are in sight, how many to a page, and the way to the others. */
export function ListFooter<T>({ list, isAll }: { list: ListHandle<T>; isAll: boolean }) {
  const t = useKitText()
  const formats = useFormats()
  const id = useId()
  const { state, data } = list
  const total = data.total ?? 0
  const pages = Math.max(1, data.totalPage)
  const from = isAll ? 1 : (state.page - 1) * state.perPage + 1
  const to = isAll ? total : Math.min(total, state.page * state.perPage)
  const go = (page: number) => list.setState({ page })
  const arrow = (label: string, page: number, Icon: typeof IconChevronLeft, off: boolean) => (
    <ActionIcon aria-label={label} {...shutIf(off, () => go(page))}>
      <Icon size={18} className="flip-rtl" />
    </ActionIcon>
  )
  return (
    <div className={classes.footer}>
      <div className={classes.sizes}>
        <label htmlFor={id}>{t('list.itemsPerPage')}</label>
        <select
          id={id}
          value={state.perPage}
          onChange={(event) => list.setState({ perPage: Number(event.currentTarget.value) })}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {formats.number(size)}
            </option>
          ))}
          <option value={ALL_ROWS}>{t('common.all')}</option>
        </select>
      </div>
      <output className={classes.range}>
        {t(data.estimated ? 'list.rangeAbout' : 'list.range', { from, to, total })}
      </output>
      {!isAll && (
        <nav className={classes.arrows} aria-label={t('list.page', { page: state.page, pages })}>
          {arrow(t('list.firstPage'), 1, IconChevronsLeft, state.page <= 1)}
          {arrow(t('list.previousPage'), state.page - 1, IconChevronLeft, state.page <= 1)}
          {arrow(t('list.nextPage'), state.page + 1, IconChevronRight, state.page >= pages)}
          {arrow(t('list.lastPage'), pages, IconChevronsRight, state.page >= pages)}
        </nav>
      )}
    </div>
  )
}
