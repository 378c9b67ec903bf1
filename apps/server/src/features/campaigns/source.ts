import { guardProject } from '../projects/open.ts'
import { campaign } from './table.ts'

/** Where campaigns are and how rules see them. */
export const campaignSource = {
  table: campaign,
  subject: 'CAMPAIGN',
  columns: {
    id: campaign.id,
    ownerId: campaign.ownerId,
    projectId: campaign.projectId,
    state: campaign.state,
    type: campaign.type,
  },
  guard: guardProject,
} as const
