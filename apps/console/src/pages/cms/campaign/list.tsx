import { campaigns } from '@weft/contract/campaigns/api'
import { CAMPAIGN_TYPES } from '@weft/contract/campaigns/schema'
import { CAMPAIGN_STATES } from '@weft/contract/campaigns/states'
import { projects } from '@weft/contract/projects/api'
import { campaignActions } from '../../../features/campaigns/actions.ts'
import { campaignColumns } from '../../../features/campaigns/columns.tsx'
import { campaignPath, editorPath } from '../../../features/campaigns/paths.ts'
import { useT } from '../../../features/campaigns/text.ts'
import { CreateButton } from '../../../kit/actions/create-button.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { RecordFilter } from '../../../kit/list/record-filter.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'

const NEW = '/cms/campaign/new'

/** All campaigns. */
export default function CampaignsPage() {
  const t = useT()
  const list = useResourceTable(campaigns.list, {
    columns: campaignColumns,
    actions: campaignActions,
    defaultSort: { by: 'updatedAt', desc: true },
    resource: { restore: campaigns.restore },
    openTo: ({ id, state }) => (state === 'draft' ? editorPath(id) : campaignPath(id)),
    nameOf: ({ title }) => title,
    empty: { action: <CreateButton for={campaigns.create} to={NEW} variant="default" /> },
  })
  return (
    <Page title={t('title')} count={list.count} actions={<CreateButton for={campaigns.create} to={NEW} />}>
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="state" options={CAMPAIGN_STATES} />
        <SelectFilter name="type" options={CAMPAIGN_TYPES} />
        <RecordFilter
          name="projectId"
          source={{ from: projects.list, get: projects.get, label: ({ name }) => name }}
        />
      </Filters>
      {list.table}
    </Page>
  )
}
