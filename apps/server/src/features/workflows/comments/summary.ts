import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { CommentSummary } from '@weft/contract/workflow-comments/schema'
import type { CallContext } from '../../../kit/context.ts'

const placeRow = z.object({
  activityId: z.string().nullable(),
  open: z.number(),
  unread: z.number(),
  unreadEver: z.number(),
})

/** How many threads are open on each step and on the whole, and what of all this the caller has not seen. */
export async function summaryOf(ctx: CallContext, workflowId: string): Promise<CommentSummary> {
  const { rows } = await ctx.tx.execute(sql`
    with seen as (
      select coalesce(max(seen_at), '-infinity') as at from workflow_comment_seen
      where user_id = ${ctx.user.id} and workflow_id = ${workflowId}
    )
    select t.step_id as "activityId",
      count(distinct t.id) filter (where t.resolved_at is null)::int as open,
      count(c.id) filter (where t.resolved_at is null and c.new)::int as unread,
      count(c.id) filter (where c.new)::int as "unreadEver"
    from workflow_comment t
    join lateral (
      select c.id, c.deleted_at is null and c.author_id is distinct from ${ctx.user.id}::uuid and c.created_at > seen.at as new
      from workflow_comment c, seen where c.id = t.id or c.thread_id = t.id
    ) c on true
    where t.workflow_id = ${workflowId} and t.thread_id is null
    group by t.step_id order by t.step_id nulls first`)
  const places = rows.map((row) => placeRow.parse(row))
  return {
    places: places.flatMap(({ unreadEver: _ever, ...place }) => (place.open > 0 ? [place] : [])),
    open: places.reduce((sum, { open }) => sum + open, 0),
    unread: places.reduce((sum, { unreadEver }) => sum + unreadEver, 0),
  }
}
