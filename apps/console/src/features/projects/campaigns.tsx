import { campaigns } from '@weft/contract/campaigns/api'
import type { Campaign } from '@weft/contract/campaigns/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { ListInPage } from '../../kit/list/list-in-page.tsx'
import { useResourceTable } from '../../kit/list/use-resource-table.tsx'
import { Num } from '../../kit/values/values.tsx'

const col = columnsOf<Campaign>()
const settled = ({ tally }: Campaign) => tally.done + tally.failed + tally.skipped + tally.cancelled

const columns = [
  col.name('title'),
  col.status('state'),
  col.text('workflowName', { label: 'workflowId' }),
  col.cell(
    'progress',
    (row) => (
      <bdi className="ltr numbers">
        <Num value={settled(row)} /> / <Num value={row.total} />
      </bdi>
    ),
    { align: 'end' },
  ),
  col.date('startedAt'),
  col.date('updatedAt'),
]

/** The campaigns of one project, within its page. */
export function ProjectCampaigns({ projectId }: { projectId: string }) {
  const list = useResourceTable(campaigns.list, {
    columns,
    fixed: { projectId },
    key: 'campaigns',
    openTo: ({ id }) => `/cms/campaign/info/${id}`,
    selectable: false,
  })
  return <ListInPage of={list} />
}
