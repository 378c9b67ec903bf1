import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ALL_ROWS } from '@weft/contract/core/list'
import { Suspense, lazy } from 'react'
import { isFailure } from '../../lib/failure.ts'
import { firstText, useKitText } from '../../lib/i18n/texts.ts'
import { Empty, Failure, NoRights } from '../states/states.tsx'
import { ListFooter } from './list-footer.tsx'
import { ListTable } from './list-table.tsx'
import { isNarrowed, withoutFilters } from './url-state.ts'
import type { ListHandle } from './handle.ts'
import { chosenCount } from './selection.ts'
import classes from './list.module.css'

/** Below this width a list is cards. */
const PHONE = '(max-width: 599.98px)'

// What is beside the table comes when it is wanted.
const ListCards = lazy(() => import('./list-cards.tsx'))
const BulkBar = lazy(() => import('./bulk/bulk-bar.tsx'))
const ListPanelHost = lazy(() => import('./panel-host.tsx'))
const CellEditor = lazy(() => import('./cell-editor.tsx'))
const TrashBar = lazy(() => import('./trash-bar.tsx'))

/** A list's rows in the form that fits, or the state it is in, with its footer. */
export function ListView({ list }: { list: ListHandle }) {
  const t = useKitText()
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const { data } = list
  const nothing = data.total === 0
  return (
    <div className={list.options.plain ? classes.plain : classes.frame} aria-busy={data.isFetching}>
      {list.waiting && (
        <output className={classes.waiting}>
          <span>{t('list.changesWaiting')}</span>
          <Button variant="subtle" size="compact-sm" onClick={list.showWaiting}>
            {t('list.showChanges')}
          </Button>
        </output>
      )}
      {list.trash && !nothing && (
        <Suspense fallback={<div className={classes.trash} />}>
          <TrashBar list={list} />
        </Suspense>
      )}
      {data.error && list.rows.length === 0 ? (
        <ListFailure list={list} />
      ) : nothing ? (
        <Nothing list={list} />
      ) : isPhone ? (
        <Suspense>
          <ListCards list={list} />
        </Suspense>
      ) : (
        <ListTable list={list} />
      )}
      {!nothing && data.total !== undefined && (
        <ListFooter list={list} isAll={list.state.perPage === ALL_ROWS} />
      )}
      <Suspense>
        {chosenCount(list.chosen, data.total ?? 0) > 0 && <BulkBar list={list} />}
        {list.panel && <ListPanelHost list={list} />}
        {list.edited && <CellEditor list={list} />}
      </Suspense>
    </div>
  )
}

function ListFailure({ list }: { list: ListHandle }) {
  const { error } = list.data
  const { access } = list.endpoint
  if (isFailure(error) && error.httpStatus === 403 && typeof access === 'object')
    return <NoRights action={access.action} subject={access.subject} />
  return <Failure error={error} retry={list.refetch} />
}

function Nothing({ list }: { list: ListHandle }) {
  const t = useKitText()
  if (isNarrowed(list.state))
    return (
      <Empty
        title={t('list.noMatchTitle')}
        text={t('list.noMatchText')}
        action={
          <Button variant="default" onClick={() => list.setState(withoutFilters(list.state))}>
            {t('list.clearFilters')}
          </Button>
        }
      />
    )
  if (list.trash)
    return (
      <Empty
        title={t('list.trashEmptyTitle')}
        text={t('list.trashEmptyText')}
        action={
          <Button variant="default" onClick={() => list.setState({ filters: {} })}>
            {t('list.leaveTrash')}
          </Button>
        }
      />
    )
  const { empty } = list.options
  return (
    <Empty
      title={empty?.title ?? firstText([`${list.feature}:empty.title`]) ?? t('list.nothingTitle')}
      text={empty?.text ?? firstText([`${list.feature}:empty.text`]) ?? t('list.nothingText')}
      action={empty?.action}
    />
  )
}
