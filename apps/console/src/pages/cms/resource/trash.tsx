import { Button } from '@mantine/core'
import { trash } from '@weft/contract/trash/api'
import { TRASH_KINDS } from '@weft/contract/trash/schema'
import { trashActions } from '../../../features/trash/actions.ts'
import { trashColumns } from '../../../features/trash/columns.tsx'
import { OwnFilter } from '../../../features/trash/own-filter.tsx'
import { PurgeHost } from '../../../features/trash/purge-host.tsx'
import { askPurge } from '../../../features/trash/purging.ts'
import { sharesOf } from '../../../features/trash/shares.ts'
import { useT } from '../../../features/trash/text.ts'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { toast } from '../../../kit/toast/toast.ts'
import { useFormats } from '../../../lib/formats.ts'
import { optionLabel } from '../../../lib/i18n/names.ts'
import { useRead } from '../../../lib/query.ts'

/** What was thrown away, of every kind, and can be taken back. */
export default function TrashPage() {
  const t = useT()
  const formats = useFormats()
  const kinds = useRead(trash.kinds, {}).data ?? []
  const list = useResourceTable(trash.list, {
    columns: trashColumns,
    actions: trashActions,
    openTo: () => null,
    live: TRASH_KINDS,
  })
  const labels = Object.fromEntries(
    kinds.map(({ kind, count, more }) => [
      kind,
      t(more ? 'countedMore' : 'counted', {
        kind: optionLabel('trash', 'kind', kind),
        count: formats.number(count),
      }),
    ]),
  )
  // Where nothing of it can go by hand, the dialog says why.
  const isEmpty = kinds.every(({ count }) => count === 0)
  const empty = async () => {
    try {
      await askPurge(await sharesOf({ query: {} }))
    } catch (error) {
      toast.failure(error)
    }
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      count={list.count}
      actions={
        <Button variant="default" c="var(--tone-red-text)" disabled={isEmpty} onClick={() => void empty()}>
          {t('emptyAll')}
        </Button>
      }
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter
          name="kind"
          options={kinds.filter(({ count }) => count > 0).map(({ kind }) => kind)}
          labels={labels}
        />
        <OwnFilter />
      </Filters>
      {list.table}
      <PurgeHost settled={list.showWaiting} />
    </Page>
  )
}
