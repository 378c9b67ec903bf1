import { Button } from '@mantine/core'
import { IconChevronDown, IconTable } from '@tabler/icons-react'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { Popup } from '../../popup/popup.tsx'
import type { ListHandle } from '../handle.ts'
import classes from '../list.module.css'
import { isChanged, viewStateOf } from './view-state.ts'

const loadMenu = () => import('./views-window.tsx')

/** The view that a list shows, whether it was changed, and the way to the others. */
export function ViewsButton({ list }: { list: ListHandle }) {
  const t = useKitText()
  const { all, active, look } = list.views
  const name = all?.views.find(({ id }) => id === active?.id)?.name
  const changed = active !== undefined && isChanged(viewStateOf(list.state, list.arrangement), active.state)
  return (
    <Popup
      kind="dialog"
      load={loadMenu}
      onOpen={(open) => {
        if (open) look()
      }}
      button={(button) => (
        <Button
          {...button}
          variant="default"
          className={classes.filterButton}
          data-active={name !== undefined || undefined}
          leftSection={<IconTable size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <bdi className={classes.viewName}>{name ?? t('list.views')}</bdi>
          {changed && (
            <span className={classes.changed} title={t('list.viewChanged')}>
              <span className="unseen">{t('list.viewChanged')}</span>
            </span>
          )}
        </Button>
      )}
    >
      {(parts, { ViewsWindow }) => <ViewsWindow list={list} parts={parts} changed={changed} />}
    </Popup>
  )
}
