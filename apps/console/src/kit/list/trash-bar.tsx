import { Button } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useMayCall } from '../actions/use-may-call.ts'
import type { ListHandle } from './handle.ts'
import { TRASH_FILTER } from './url-state.ts'
import classes from './list.module.css'

const BulkDialog = lazy(async () => ({ default: (await import('./bulk/bulk-dialog.tsx')).BulkDialog }))

/** Says that what is listed lies in the trash, with the ways out of it: back to the list, or for good. */
export default function TrashBar({ list }: { list: ListHandle }) {
  const t = useKitText()
  const may = useMayCall()
  const [emptying, setEmptying] = useState(false)
  const { purge, bulk } = list.options.resource ?? {}
  // What the page itself sets, such as whose records they are, holds for all that goes.
  const query = { ...list.options.fixed, [TRASH_FILTER]: 'true' }
  return (
    <div className={classes.trash}>
      <span>{t('list.trashText')}</span>
      <span className={classes.trashWays}>
        {purge && bulk && may(purge) && may(bulk) && (
          <Button
            variant="subtle"
            size="compact-sm"
            c="var(--tone-red-text)"
            onClick={() => setEmptying(true)}
          >
            {t('list.emptyTrash')}
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={() => list.setState({ q: '', filters: {} })}>
          {t('list.leaveTrash')}
        </Button>
      </span>
      {emptying && (
        <Suspense>
          <BulkDialog
            list={list}
            kind="purge"
            count={list.data.total ?? 0}
            instead={{ selection: { query }, title: t('list.emptyTrash') }}
            onClose={() => setEmptying(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
