import { Outlet } from 'react-router'
import { accounts } from '@weft/contract/accounts/api'
import { ACCOUNT_STATUSES, ACCOUNT_TYPES } from '@weft/contract/accounts/schema'
import { accountActions } from '../../../features/accounts/actions.ts'
import { accountColumns } from '../../../features/accounts/columns.tsx'
import { accountFields } from '../../../features/accounts/fields.ts'
import { RevealDialog } from '../../../features/accounts/reveal.tsx'
import { useT } from '../../../features/accounts/text.ts'
import { OpenHost } from '../../../features/desk/open-host.tsx'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { ImportButton } from '../../../kit/import/import-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'

/** The accounts that campaigns act for. */
export default function AccountsPage() {
  const t = useT()
  const list = useResourceTable(accounts.list, {
    columns: accountColumns,
    actions: accountActions,
    resource: accounts,
    fields: accountFields,
    empty: { action: <CreateButton for={accounts.create} /> },
  })
  return (
    <Page
      title={t('title')}
      count={list.count}
      actions={
        <>
          <ImportButton for={accounts.import} />
          <CreateButton for={accounts.create} />
        </>
      }
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="accountType" options={ACCOUNT_TYPES} field="type" />
        <SelectFilter name="accountStatus" options={ACCOUNT_STATUSES} field="status" />
      </Filters>
      {list.table}
      <RevealDialog />
      <OpenHost />
      <Outlet />
    </Page>
  )
}
