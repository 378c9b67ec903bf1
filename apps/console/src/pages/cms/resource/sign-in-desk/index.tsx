import { attendedRuns } from '@weft/contract/attended-runs/api'
import { PERSON_REASONS } from '@weft/contract/attended-runs/schema'
import { deskActions } from '../../../../features/desk/actions.ts'
import { deskColumns } from '../../../../features/desk/columns.tsx'
import { OpenHost } from '../../../../features/desk/open-host.tsx'
import { useT } from '../../../../features/desk/text.ts'
import { Filters, SearchFilter, SelectFilter } from '../../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../../kit/page/page.tsx'

/** Accounts that need a person to sign in. */
export default function SignInDeskPage() {
  const t = useT()
  const list = useResourceTable(attendedRuns.queue, {
    columns: deskColumns,
    actions: deskActions,
    openTo: ({ id }) => `/cms/resource/accounts/${id}`,
    live: ['accounts'],
    selectable: false,
  })
  return (
    <Page title={t('title')} lead={t('lead')} count={list.count}>
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="reason" options={PERSON_REASONS} field="reason" />
      </Filters>
      {list.table}
      <OpenHost />
    </Page>
  )
}
