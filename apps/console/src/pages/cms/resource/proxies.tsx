import { Outlet } from 'react-router'
import { proxies } from '@weft/contract/proxies/api'
import {
  PROXY_EXPIRIES,
  PROXY_PROTOCOLS,
  PROXY_SOURCES,
  PROXY_STATUSES,
  PROXY_SUCCESSES,
  PROXY_TYPES,
} from '@weft/contract/proxies/schema'
import { proxyActions } from '../../../features/proxies/actions.ts'
import { CheckAll } from '../../../features/proxies/check-all.tsx'
import { CheckNotice } from '../../../features/proxies/check-notice.tsx'
import { CheckProgress } from '../../../features/proxies/check-progress.tsx'
import { proxyColumns } from '../../../features/proxies/columns.tsx'
import { proxyFields } from '../../../features/proxies/fields.ts'
import { proxyName } from '../../../features/proxies/place.ts'
import { useT } from '../../../features/proxies/text.ts'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { ImportButton } from '../../../kit/import/import-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { isNarrowed } from '../../../kit/list/url-state.ts'
import { Page } from '../../../kit/page/page.tsx'

/** The proxies that runs go through. */
export default function ProxiesPage() {
  const t = useT()
  const list = useResourceTable(proxies.list, {
    columns: proxyColumns,
    actions: proxyActions,
    resource: proxies,
    fields: proxyFields,
    nameOf: proxyName,
    empty: { action: <CreateButton for={proxies.create} /> },
  })
  const { q, filters } = list.state
  return (
    <Page
      title={t('title')}
      count={list.count}
      actions={
        <>
          {list.count?.total ? (
            <CheckAll query={{ ...(q ? { q } : {}), ...filters }} narrowed={isNarrowed(list.state)} />
          ) : null}
          <ImportButton for={proxies.import} lines />
          <CreateButton for={proxies.create} />
        </>
      }
    >
      {list.count?.total ? <CheckNotice /> : null}
      <CheckProgress />
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="status" options={PROXY_STATUSES} />
        <SelectFilter name="protocol" options={PROXY_PROTOCOLS} />
        <SelectFilter name="type" options={PROXY_TYPES} />
        <SelectFilter name="proxySource" options={PROXY_SOURCES} />
        <SelectFilter name="success" options={PROXY_SUCCESSES} />
        <SelectFilter name="expiry" options={PROXY_EXPIRIES} />
      </Filters>
      {list.table}
      <Outlet />
    </Page>
  )
}
