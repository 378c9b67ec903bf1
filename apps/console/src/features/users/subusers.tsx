import { Stack } from '@mantine/core'
import { users } from '@weft/contract/users/api'
import { Filters, SearchFilter } from '../../kit/list/filters.tsx'
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
  return (
    <Stack gap={12}>
      <Filters of={list}>
        <SearchFilter />
      </Filters>
      {list.table}
    </Stack>
  )
}
