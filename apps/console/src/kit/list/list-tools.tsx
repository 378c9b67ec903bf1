import { ActionIcon } from '@mantine/core'
import {
  IconColumns3,
  IconDownload,
  IconFilter,
  IconRefresh,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useMayCall } from '../actions/use-may-call.ts'
import { Hint } from '../hint/hint.tsx'
import { Popup, type PopupParts } from '../popup/popup.tsx'
import { toast } from '../toast/toast.ts'
import { isAsItComes } from './arrangement.ts'
import { MORE_FILTERS, moreFiltersOf } from './more-filters-of.ts'
import { TRASH_FILTER } from './url-state.ts'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

// What they open comes when somebody is near.
const loadColumns = () => import('./columns-editor.tsx')
const loadExport = () => import('./export-menu.tsx')
const loadFilters = () => import('./more-filters.tsx')

/** What can be done with the whole list: more filters, the trash, export, columns, reading it anew. */
export function ListTools({ list }: { list: ListHandle }) {
  const t = useKitText()
  const may = useMayCall()
  const { resource } = list.options
  const filtered = MORE_FILTERS.some((name) => list.state.filters[name] !== undefined)
  return (
    <div className={classes.filterTools}>
      {moreFiltersOf(list.filterNames).length > 0 && (
        <Tool icon={IconFilter} label={t('list.filters')} active={filtered} load={loadFilters}>
          {(parts, { MoreFilters }) => <MoreFilters list={list} parts={parts} />}
        </Tool>
      )}
      {resource?.restore && (
        <Hint words={t(list.trash ? 'list.leaveTrash' : 'list.trash')}>
          <ActionIcon
            aria-label={t('list.trash')}
            aria-pressed={list.trash}
            className={classes.tool}
            data-active={list.trash || undefined}
            onClick={() => list.setState({ q: '', filters: list.trash ? {} : { [TRASH_FILTER]: 'true' } })}
          >
            <IconTrash size={17} />
          </ActionIcon>
        </Hint>
      )}
      {resource?.export && may(resource.export) && (
        <Tool icon={IconDownload} label={t('actions.export')} load={loadExport}>
          {(parts, { ExportWindow }) => <ExportWindow list={list} parts={parts} />}
        </Tool>
      )}
      <Tool
        icon={IconColumns3}
        label={t('list.columns')}
        active={!isAsItComes(list.arrangement)}
        className={classes.columnButton}
        load={loadColumns}
      >
        {(parts, { ColumnsEditor }) => <ColumnsEditor list={list} parts={parts} />}
      </Tool>
      <Hint words={t('list.refresh')}>
        <ActionIcon
          aria-label={t('list.refresh')}
          loading={list.data.isFetching && !list.data.isPending}
          onClick={() => void list.data.hardRefetch().catch(toast.failure)}
        >
          <IconRefresh size={17} />
        </ActionIcon>
      </Hint>
    </div>
  )
}

/** A tool that opens something below it. */
function Tool<M>(props: {
  icon: Icon
  label: string
  active?: boolean
  className?: string | undefined
  load: () => Promise<M>
  children: (parts: PopupParts, loaded: M) => ReactNode
}) {
  return (
    <Popup
      kind="dialog"
      load={props.load}
      button={(button) => (
        <Hint words={props.label}>
          <ActionIcon
            {...button}
            aria-label={props.label}
            className={`${classes.tool} ${props.className ?? ''}`}
            data-active={props.active || undefined}
          >
            <props.icon size={17} />
          </ActionIcon>
        </Hint>
      )}
    >
      {props.children}
    </Popup>
  )
}
