import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { activityFiguresSchema, type ActivityFigures } from '@weft/contract/activities/schema'
import type { CallContext } from '../../kit/context.ts'
import { workflowSource } from '../workflows/record.ts'
import { workflow } from '../workflows/table.ts'

/**
 * How much each activity is used by workflows that the person may see, and what became of their runs in the last thirty
 * days. A run counts for every activity that its release holds, a failure for the one at whose step it ended.
 */
export async function figuresOf(ctx: CallContext): Promise<ActivityFigures[]> {
  const result = await ctx.tx.execute(sql`
    with seen as (
      select ${workflow.id} as id from ${workflow}
      where ${workflow.deletedAt} is null and ${ctx.scope('VIEW', 'WORKFLOW', workflowSource.columns)}
    ), ended as (
      select r.workflow_id, r.release, r.error ->> 'stepId' as step_id, count(*)::int as runs
      from run r where r.finished_at > now() - interval '30 days' and r.workflow_id in (select id from seen)
      group by 1, 2, 3
    ), held as (
      select distinct s.activity, s.workflow_id, s.release from release_step s where s.workflow_id in (select id from seen)
    )
    select h.activity as id, count(distinct h.workflow_id)::int as workflows, count(*)::int as releases,
      coalesce(sum((select sum(e.runs) from ended e
        where e.workflow_id = h.workflow_id and e.release = h.release)), 0)::int as runs,
      coalesce(sum((select sum(e.runs) from ended e join release_step s
        on s.workflow_id = e.workflow_id and s.release = e.release and s.step_id = e.step_id
        where e.workflow_id = h.workflow_id and e.release = h.release and s.activity = h.activity)), 0)::int as failed
    from held h group by 1 order by 1`)
  return z.array(activityFiguresSchema).parse(result.rows)
}
