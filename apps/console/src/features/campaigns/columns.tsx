import type { Campaign } from '@weft/contract/campaigns/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { RowProgress } from './tally-bar.tsx'

const col = columnsOf<Campaign>()

/** The columns of the campaign list. */
export const campaignColumns = [
  col.name('title'),
  col.status('state'),
  col.cell('progress', (row) => <RowProgress campaign={row} />, { width: 220, sort: false }),
  col.option('type'),
  col.text('workflowName', { label: 'workflowId', sort: false }),
  col.text('projectName', { label: 'projectId', sort: false }),
  col.date('startedAt'),
  col.date('finishedAt', { phone: false }),
  col.date('updatedAt', { phone: false }),
  col.code('code', { hidden: true }),
  col.tags('tags', { hidden: true }),
  col.date('createdAt', { hidden: true }),
]
