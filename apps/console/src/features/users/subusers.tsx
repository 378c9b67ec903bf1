import { users } from '@weft/contract/users/api'
import { ListInPage } from '../../kit/list/list-in-page.tsx'
import { useResourceTable } from '../../kit/list/use-resource-table.tsx'
import { personColumns } from './columns.tsx'
import { personPath } from './paths.ts'

/** The people whom somebody made. */
export function Subusers({ of }: { of: string }) {
  const list = useResourceTable(users.list, {
    columns: personColumns,
    fixed: { ownerId: of },
    key: 'below',
    openTo: ({ id }) => personPath(id),
    nameOf: ({ username }) => username,
    selectable: false,
  })
  return <ListInPage of={list} />
}
