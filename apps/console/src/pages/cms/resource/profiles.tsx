import { Outlet } from 'react-router'
import { profiles } from '@weft/contract/profiles/api'
import { BROWSER_TYPES, PROFILE_STATUSES } from '@weft/contract/profiles/schema'
import { profileActions } from '../../../features/profiles/actions.ts'
import { profileColumns } from '../../../features/profiles/columns.tsx'
import { profileFields } from '../../../features/profiles/fields.ts'
import { useT } from '../../../features/profiles/text.ts'
import { OpenHost } from '../../../features/desk/open-host.tsx'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { ImportButton } from '../../../kit/import/import-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'

const DEVICE_TYPES = ['desktop', 'tablet', 'phone'] as const

/** The browser profiles in which work is done. */
export default function ProfilesPage() {
  const t = useT()
  const list = useResourceTable(profiles.list, {
    columns: profileColumns,
    actions: profileActions,
    resource: profiles,
    fields: profileFields,
    nameOf: ({ name }) => name,
    empty: { action: <CreateButton for={profiles.create} /> },
  })
  return (
    <Page
      title={t('title')}
      count={list.count}
      actions={
        <>
          <ImportButton for={profiles.import} />
          <CreateButton for={profiles.create} />
        </>
      }
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="browserType" options={BROWSER_TYPES} />
        <SelectFilter name="deviceType" options={DEVICE_TYPES} />
        <SelectFilter name="status" options={PROFILE_STATUSES} />
      </Filters>
      {list.table}
      <OpenHost />
      <Outlet />
    </Page>
  )
}
