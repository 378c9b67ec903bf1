import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { usesSchema } from '@weft/contract/core/record'
import type { CallContext } from '../../kit/context.ts'
import { scopeColumns } from '../../kit/resource/definition.ts'
import { campaign } from '../campaigns/table.ts'
import { callsWorkflow, isOfActivity, isOver } from './record.ts'
import { workflow } from './table.ts'

const MAX_USES = 100

/** What uses a workflow, as far as the person may see it: campaigns that run it, workflows that call it. */
export async function usesOfWorkflow(
  ctx: Pick<CallContext, 'tx' | 'scope'>,
  id: string,
): Promise<z.input<typeof usesSchema>> {
  const campaigns = await ctx.tx
    .select({
      id: campaign.id,
      name: campaign.title,
      blocks: sql<boolean>`not ${isOver(sql`${campaign.state}`)}`,
    })
    .from(campaign)
    .where(
      and(
        eq(campaign.workflowId, id),
        isNull(campaign.deletedAt),
        ctx.scope('VIEW', 'CAMPAIGN', scopeColumns(campaign)),
      ),
    )
    .orderBy(campaign.createdAt)
    .limit(MAX_USES)
  const [draft, called] = [sql`${workflow.draft}`, sql`${id}`]
  const inDraft = sql<boolean>`(${callsWorkflow(draft, called)} or ${isOfActivity(draft, called)})`
  const released = sql<boolean>`exists (select 1 from release_step s
    where s.called = ${id} and s.workflow_id = ${workflow.id} and s.release = ${workflow.publishedRelease})`
  const callers = await ctx.tx
    .select({ id: workflow.id, name: workflow.name, blocks: inDraft })
    .from(workflow)
    .where(
      and(
        ne(workflow.id, id),
        isNull(workflow.deletedAt),
        ctx.scope('VIEW', 'WORKFLOW', scopeColumns(workflow)),
        sql`(${inDraft} or ${released})`,
      ),
    )
    .orderBy(workflow.createdAt)
    .limit(MAX_USES)
  return [
    ...campaigns.map((one) => ({ feature: 'campaigns', ...one })),
    ...callers.map((one) => ({ feature: 'workflows', ...one })),
  ]
}
