import { sql } from 'drizzle-orm'
import type { ScopeColumns } from '../../kit/context.ts'
import { Through } from '../../kit/access-through.ts'
import { campaign } from '../campaigns/table.ts'
import { run } from './table.ts'

/** How rules see a run: as its campaign, whose project is the run's. */
export const runScope: ScopeColumns = {
  id: run.campaignId,
  ownerId: run.ownerId,
  projectId: new Through(
    campaign.projectId,
    (condition) => sql`${run.campaignId} in (select ${campaign.id} from ${campaign} where ${condition})`,
  ),
}
