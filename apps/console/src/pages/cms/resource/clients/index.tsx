import { clients } from '@weft/contract/clients/api'
import { ADMIN_STATES, CONNECTION_STATES } from '@weft/contract/clients/schema'
import { clientActions, clientPath } from '../../../../features/clients/actions.ts'
import { AddClientButton } from '../../../../features/clients/add-client.tsx'
import { clientColumns } from '../../../../features/clients/columns.tsx'
import { clientFields } from '../../../../features/clients/fields.ts'
import { PauseDialog } from '../../../../features/clients/pause.tsx'
import { useT } from '../../../../features/clients/text.ts'
import { ImportButton } from '../../../../kit/import/import-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../../kit/page/page.tsx'

/** The machines that do the work. */
export default function ClientsPage() {
  const t = useT()
  const list = useResourceTable(clients.list, {
    columns: clientColumns,
    actions: clientActions,
    resource: clients,
    fields: clientFields,
    openTo: ({ id }) => clientPath(id),
    nameOf: ({ name }) => name,
    empty: { action: <AddClientButton variant="default" /> },
  })
  return (
    <Page
      title={t('title')}
      count={list.count}
      actions={
        <>
          <ImportButton for={clients.import} />
          <AddClientButton />
        </>
      }
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="connection" options={CONNECTION_STATES} />
        <SelectFilter name="admin" options={ADMIN_STATES} />
      </Filters>
      {list.table}
      <PauseDialog />
    </Page>
  )
}
