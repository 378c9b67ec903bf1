import { Outlet } from 'react-router'
import { users } from '@weft/contract/users/api'
import { USER_STATUSES } from '@weft/contract/users/schema'
import { personActions } from '../../../features/users/actions.ts'
import { personColumns } from '../../../features/users/columns.tsx'
import { LeavingDialog } from '../../../features/users/leaving-dialog.tsx'
import { LinkDialog } from '../../../features/users/link-dialog.tsx'
import { personPath } from '../../../features/users/paths.ts'
import { roleName, useRoles } from '../../../features/users/roles.ts'
import { useT } from '../../../features/users/text.ts'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'

/** All people that one may see. */
export default function PeoplePage() {
  const t = useT()
  const roles = useRoles()
  const list = useResourceTable(users.list, {
    columns: personColumns,
    actions: personActions,
    openTo: (person) => (person.deletedAt === null ? personPath(person.id) : ''),
    nameOf: ({ username }) => username,
    live: ['roles'],
    selectable: false,
    empty: { action: <CreateButton for={users.create} label={t('invite.button')} /> },
  })
  return (
    <Page
      title={t('title')}
      count={list.count}
      actions={<CreateButton for={users.create} label={t('invite.button')} />}
    >
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="status" options={USER_STATUSES} />
        <SelectFilter
          name="role"
          options={roles.map(({ key }) => key)}
          labels={Object.fromEntries(roles.map(({ key, name }) => [key, roleName(key, name)]))}
        />
        <SelectFilter name="trashed" options={['true']} />
      </Filters>
      {list.table}
      <Outlet />
      <LinkDialog />
      <LeavingDialog />
    </Page>
  )
}
