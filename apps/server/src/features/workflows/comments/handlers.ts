import { and, eq, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'
import type { workflowComments } from '@weft/contract/workflow-comments/api'
import type { CommentThread } from '@weft/contract/workflow-comments/schema'
import { AppError } from '../../../kit/app-error.ts'
import type { CallContext } from '../../../kit/context.ts'
import type { Implementation } from '../../../kit/implement.ts'
import { listOf } from '../../../kit/list.ts'
import { findRecord, newId } from '../../../kit/record.ts'
import { workflowSource } from '../record.ts'
import type { WorkflowRecord } from '../table.ts'
import { mentionable, mentionedIn } from './mentions.ts'
import { summaryOf } from './summary.ts'
import { workflowComment, workflowCommentSeen, type CommentRow } from './table.ts'
import { tellMentioned, tellTaking } from './tell.ts'
import { isThemselves, presentComments, presentThreads } from './view.ts'

/** Comments: the workflow's rules are theirs, and everybody who may see it may speak. */
export const commentHandlers: Implementation<typeof workflowComments> = {
  async list(ctx, { workflowId, state, place, activityId, ...input }) {
    const workflow = await findRecord(ctx, workflowSource, workflowId)
    const placed = {
      step: isNotNull(workflowComment.stepId),
      workflow: isNull(workflowComment.stepId),
      removed: and(
        isNotNull(workflowComment.stepId),
        notInArray(
          workflowComment.stepId,
          workflow.draft.activities.map(({ id }) => id),
        ),
      ),
    }
    return listOf(ctx.tx, input, {
      rows: (tx) => tx.select().from(workflowComment).$dynamic(),
      table: workflowComment,
      id: workflowComment.id,
      where: [
        eq(workflowComment.workflowId, workflowId),
        isNull(workflowComment.threadId),
        state &&
          (state === 'open' ? isNull(workflowComment.resolvedAt) : isNotNull(workflowComment.resolvedAt)),
        place && placed[place],
        activityId === undefined ? undefined : eq(workflowComment.stepId, activityId),
      ],
      search: [],
      sort: { lastAt: workflowComment.lastAt },
      defaultSort: { by: 'lastAt', desc: true },
      present: (rows) => presentThreads(ctx, workflow, rows),
    })
  },

  async get(ctx, { id }) {
    const { comment, workflow } = await findComment(ctx, id)
    return showThread(ctx, workflow, comment.threadId ?? comment.id)
  },

  async replies(ctx, { id, ...input }) {
    const { workflow } = await findComment(ctx, id)
    return listOf(ctx.tx, input, {
      rows: (tx) => tx.select().from(workflowComment).$dynamic(),
      table: workflowComment,
      id: workflowComment.id,
      where: [eq(workflowComment.threadId, id)],
      search: [],
      sort: { createdAt: workflowComment.createdAt },
      defaultSort: { by: 'createdAt' },
      present: (rows) => presentComments(ctx, workflow, rows),
    })
  },

  async summary(ctx, { workflowId }) {
    await findRecord(ctx, workflowSource, workflowId)
    return summaryOf(ctx, workflowId)
  },

  async people(ctx, { workflowId, q }) {
    const workflow = await findRecord(ctx, workflowSource, workflowId)
    return mentionable(ctx.tx, q, { workflow, authorId: ctx.user.id })
  },

  async add(ctx, { workflowId, activityId, text }) {
    const workflow = await findRecord(ctx, workflowSource, workflowId)
    requireThemselves(ctx)
    const step = workflow.draft.activities.find(({ id }) => id === activityId)
    const mentions = await mentionedIn(ctx.tx, text, { workflow, authorId: ctx.user.id })
    const id = newId()
    await ctx.tx.insert(workflowComment).values({
      id,
      workflowId,
      stepId: activityId,
      step: step ? { type: step.type, name: step.name ?? '' } : null,
      text,
      authorId: ctx.user.id,
      mentions,
    })
    ctx.audit({
      feature: 'workflows',
      recordId: workflowId,
      after: { comment: id, activity: activityId, text: brief(text) },
    })
    await tellMentioned(ctx, workflow, id, mentions)
    tellPages(ctx, workflow)
    return showThread(ctx, workflow, id)
  },

  async reply(ctx, { id, text }) {
    const { comment: thread, workflow } = await findComment(ctx, id, { lock: true })
    requireThemselves(ctx)
    if (thread.threadId !== null) throw new AppError('record.not_found')
    const mentions = await mentionedIn(ctx.tx, text, { workflow, authorId: ctx.user.id })
    const replyId = newId()
    await ctx.tx.insert(workflowComment).values({
      id: replyId,
      workflowId: workflow.id,
      threadId: id,
      text,
      authorId: ctx.user.id,
      mentions,
    })
    await ctx.tx
      .update(workflowComment)
      .set({ lastAt: sql`now()`, resolvedAt: null, resolvedBy: null })
      .where(eq(workflowComment.id, id))
    ctx.audit({
      feature: 'workflows',
      recordId: workflow.id,
      after: { comment: replyId, thread: id, text: brief(text) },
    })
    await tellMentioned(ctx, workflow, id, mentions)
    await tellTaking(ctx, workflow, thread, mentions)
    tellPages(ctx, workflow)
    return showThread(ctx, workflow, id)
  },

  async edit(ctx, { id, version, text }) {
    const { comment: before, workflow } = await findComment(ctx, id, { lock: true })
    requireThemselves(ctx)
    if (before.authorId !== ctx.user.id) throw new AppError('access.denied')
    await requireFresh(ctx, workflow, before, version)
    const mentions = await mentionedIn(ctx.tx, text, { workflow, authorId: ctx.user.id })
    const [after] = await ctx.tx
      .update(workflowComment)
      .set({ text, mentions, editedAt: sql`now()`, version: version + 1 })
      .where(eq(workflowComment.id, id))
      .returning()
    if (!after) throw new AppError('record.not_found')
    ctx.audit({
      feature: 'workflows',
      recordId: workflow.id,
      before: { comment: id, text: brief(before.text) },
      after: { comment: id, text: brief(text) },
    })
    const already = new Set(before.mentions)
    await tellMentioned(
      ctx,
      workflow,
      before.threadId ?? id,
      mentions.filter((one) => !already.has(one)),
    )
    tellPages(ctx, workflow)
    return showComment(ctx, workflow, after)
  },

  async remove(ctx, { id, version }) {
    const { comment, workflow } = await findComment(ctx, id, { lock: true })
    requireThemselves(ctx)
    if (comment.authorId !== ctx.user.id && !ctx.can('DELETE', 'WORKFLOW', workflow))
      throw new AppError('access.denied')
    await requireFresh(ctx, workflow, comment, version)
    await removeComment(ctx, comment)
    ctx.audit({
      feature: 'workflows',
      recordId: workflow.id,
      before: { comment: id, author: comment.authorId, text: brief(comment.text) },
    })
    tellPages(ctx, workflow)
  },

  async resolve(ctx, { id, resolved }) {
    const { comment, workflow } = await findComment(ctx, id, { lock: true })
    requireThemselves(ctx)
    if (comment.threadId !== null) throw new AppError('record.not_found')
    // Two who resolve the same thread both find it resolved.
    if ((comment.resolvedAt !== null) !== resolved) {
      await ctx.tx
        .update(workflowComment)
        .set(
          resolved
            ? { resolvedAt: sql`now()`, resolvedBy: ctx.user.id }
            : { resolvedAt: null, resolvedBy: null },
        )
        .where(eq(workflowComment.id, id))
      ctx.audit({
        feature: 'workflows',
        recordId: workflow.id,
        before: { comment: id, resolved: !resolved },
        after: { comment: id, resolved },
      })
      tellPages(ctx, workflow)
    }
    return showThread(ctx, workflow, id)
  },

  async seen(ctx, { workflowId }) {
    await findRecord(ctx, workflowSource, workflowId)
    requireThemselves(ctx)
    const written = await ctx.tx
      .insert(workflowCommentSeen)
      .values({ workflowId, userId: ctx.user.id, seenAt: sql`now()` })
      .onConflictDoUpdate({
        target: [workflowCommentSeen.userId, workflowCommentSeen.workflowId],
        set: { seenAt: sql`now()` },
        // What was seen already is not written again.
        setWhere: sql`exists (select 1 from workflow_comment c where c.workflow_id = ${workflowId}
          and c.created_at > ${workflowCommentSeen.seenAt})`,
      })
      .returning({ at: workflowCommentSeen.seenAt })
    return { changed: written.length }
  },
}

/** A comment whose workflow the caller may see. */
async function findComment(
  ctx: CallContext,
  id: string,
  { lock = false } = {},
): Promise<{ comment: CommentRow; workflow: WorkflowRecord }> {
  const query = ctx.tx.select().from(workflowComment).where(eq(workflowComment.id, id))
  const [comment] = await (lock ? query.for('update') : query)
  if (!comment) throw new AppError('record.not_found')
  return { comment, workflow: await findRecord(ctx, workflowSource, comment.workflowId) }
}

/** What is said is said by a person, not by a program with their token. */
function requireThemselves(ctx: CallContext): void {
  if (!isThemselves(ctx)) throw new AppError('auth.not_by_token')
}

/** Refuses a change of a comment that was changed since, and of one that is deleted. */
async function requireFresh(
  ctx: CallContext,
  workflow: WorkflowRecord,
  comment: CommentRow,
  version: number,
): Promise<void> {
  if (comment.deletedAt) throw new AppError('record.not_found')
  if (comment.version !== version)
    throw new AppError('record.stale', {}, { current: await showComment(ctx, workflow, comment) })
}

/** What others answered to stays, without what it said; with the last answer it goes too. */
async function removeComment(ctx: CallContext, { id, threadId }: CommentRow): Promise<void> {
  if (threadId === null) {
    const replies = await ctx.tx.$count(workflowComment, eq(workflowComment.threadId, id))
    if (replies > 0) {
      await ctx.tx
        .update(workflowComment)
        .set({ text: '', mentions: [], deletedAt: sql`now()`, version: sql`${workflowComment.version} + 1` })
        .where(eq(workflowComment.id, id))
      return
    }
  }
  // Whoever answers the thread now locks it too: whether it has answers is asked after them.
  if (threadId !== null)
    await ctx.tx.execute(sql`select 1 from workflow_comment where id = ${threadId} for update`)
  await ctx.tx.delete(workflowComment).where(eq(workflowComment.id, id))
  if (threadId !== null)
    await ctx.tx
      .delete(workflowComment)
      .where(
        and(
          eq(workflowComment.id, threadId),
          isNotNull(workflowComment.deletedAt),
          sql`not exists (select 1 from workflow_comment r where r.thread_id = ${threadId})`,
        ),
      )
}

async function showThread(ctx: CallContext, workflow: WorkflowRecord, id: string): Promise<CommentThread> {
  const rows = await ctx.tx.select().from(workflowComment).where(eq(workflowComment.id, id))
  const [thread] = await presentThreads(ctx, workflow, rows)
  if (!thread) throw new AppError('record.not_found')
  return thread
}

async function showComment(ctx: CallContext, workflow: WorkflowRecord, row: CommentRow) {
  const [comment] = await presentComments(ctx, workflow, [row])
  if (!comment) throw new AppError('record.not_found')
  return comment
}

/** The open editors read the comments anew; who may see the workflow is told. */
function tellPages(ctx: CallContext, { id, ownerId }: WorkflowRecord): void {
  ctx.event({ feature: 'workflowComments', id, kind: 'updated', ownerId })
}

/** As much of a text as the audit log keeps. */
function brief(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text
}
