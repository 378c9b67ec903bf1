import { Outlet } from 'react-router'
import { devices } from '@weft/contract/devices/api'
import { DEVICE_KINDS } from '@weft/contract/devices/schema'
import { deviceActions } from '../../../features/devices/actions.ts'
import { deviceColumns } from '../../../features/devices/columns.tsx'
import { useT } from '../../../features/devices/text.ts'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'

/** The device presets that profiles take: the built-in ones, and those that people made. */
export default function DevicesPage() {
  const t = useT()
  const list = useResourceTable(devices.list, {
    columns: deviceColumns,
    actions: deviceActions,
    resource: devices,
    defaultSort: { by: 'name', desc: false },
    empty: { action: <CreateButton for={devices.create} /> },
  })
  return (
    <Page title={t('title')} count={list.count} actions={<CreateButton for={devices.create} />}>
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="kind" options={DEVICE_KINDS} />
        <SelectFilter name="builtIn" options={['true', 'false']} />
      </Filters>
      {list.table}
      <Outlet />
    </Page>
  )
}
