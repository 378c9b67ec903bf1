import { eq, or } from 'drizzle-orm'
import type { CallContext } from '../../../kit/context.ts'
import { notify } from '../../notifications/notify.ts'
import type { WorkflowRecord } from '../table.ts'
import { readersAmong } from './mentions.ts'
import { workflowComment, type CommentRow } from './table.ts'

/** Tells those whom a comment names. */
export function tellMentioned(
  ctx: CallContext,
  workflow: WorkflowRecord,
  threadId: string,
  people: readonly string[],
): Promise<void> {
  return notify(ctx.tx, people, {
    kind: 'workflow.mentioned',
    params: { by: ctx.user.displayName, workflow: workflow.name, thread: threadId },
    about: { feature: 'workflows', id: workflow.id },
    group: threadId,
  })
}

/** Tells those who take part in a thread that somebody answered, but for those who were told by name. */
export async function tellTaking(
  ctx: CallContext,
  workflow: WorkflowRecord,
  { id }: CommentRow,
  told: readonly string[],
): Promise<void> {
  const rows = await ctx.tx
    .selectDistinct({ authorId: workflowComment.authorId })
    .from(workflowComment)
    .where(or(eq(workflowComment.id, id), eq(workflowComment.threadId, id)))
  const known = new Set([ctx.user.id, ...told])
  const taking = rows.flatMap(({ authorId }) => (authorId === null || known.has(authorId) ? [] : [authorId]))
  await notify(ctx.tx, await readersAmong(ctx.tx, workflow, taking), {
    kind: 'workflow.replied',
    params: { by: ctx.user.displayName, workflow: workflow.name, thread: id },
    about: { feature: 'workflows', id: workflow.id },
    group: id,
  })
}
