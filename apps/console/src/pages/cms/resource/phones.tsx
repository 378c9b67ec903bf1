import { Outlet } from 'react-router'
import { phones } from '@weft/contract/phones/api'
import { PHONE_KINDS, PHONE_STATUSES } from '@weft/contract/phones/schema'
import { phoneActions } from '../../../features/phones/actions.ts'
import { phoneColumns } from '../../../features/phones/columns.tsx'
import { phoneFields } from '../../../features/phones/fields.ts'
import { useT } from '../../../features/phones/text.ts'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { ImportButton } from '../../../kit/import/import-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'

/** The telephone numbers that runs may use. */
export default function PhonesPage() {
  const t = useT()
  const list = useResourceTable(phones.list, {
    columns: phoneColumns,
    actions: phoneActions,
    resource: phones,
    fields: phoneFields,
    nameOf: ({ phoneNumber }) => phoneNumber,
    empty: { action: <CreateButton for={phones.create} /> },
  })
  return (
    <Page
      title={t('title')}
      count={list.count}
      actions={
        <>
          <ImportButton for={phones.import} />
          <CreateButton for={phones.create} />
        </>
      }
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="status" options={PHONE_STATUSES} />
        <SelectFilter name="kind" options={PHONE_KINDS} />
      </Filters>
      {list.table}
      <Outlet />
    </Page>
  )
}
