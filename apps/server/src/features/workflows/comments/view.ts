import { and, eq, getTableColumns, inArray, lte, sql } from 'drizzle-orm'
import {
  COMMENT_LIMITS,
  type Comment,
  type Commenter,
  type CommentThread,
} from '@weft/contract/workflow-comments/schema'
import type { CallContext } from '../../../kit/context.ts'
import { iso } from '../../../kit/record.ts'
import { appUser } from '../../access/table.ts'
import type { WorkflowRecord } from '../table.ts'
import { workflowComment, workflowCommentSeen, type CommentRow } from './table.ts'

/** Threads as they are shown to the caller, with their newest replies. */
export async function presentThreads(
  ctx: CallContext,
  workflow: WorkflowRecord,
  threads: readonly CommentRow[],
): Promise<CommentThread[]> {
  if (threads.length === 0) return []
  const replies = await newestReplies(ctx, threads)
  const show = await presenter(ctx, workflow, [...threads, ...replies])
  return threads.map((thread) => {
    const own = replies.filter(({ threadId }) => threadId === thread.id)
    return {
      ...show.comment(thread),
      workflowId: thread.workflowId,
      activityId: thread.stepId,
      activity: thread.step,
      resolvedAt: iso(thread.resolvedAt),
      resolvedBy: show.person(thread.resolvedBy),
      replyCount: own[0]?.total ?? 0,
      replies: own.map(show.comment),
    }
  })
}

/** Comments as they are shown to the caller. */
export async function presentComments(
  ctx: CallContext,
  workflow: WorkflowRecord,
  rows: readonly CommentRow[],
): Promise<Comment[]> {
  const show = await presenter(ctx, workflow, rows)
  return rows.map(show.comment)
}

/** Whether the caller writes as themselves: neither a program nor somebody who looks on. */
export function isThemselves({ tokenName, viewer }: Pick<CallContext, 'tokenName' | 'viewer'>): boolean {
  return tokenName === undefined && viewer === undefined
}

async function newestReplies(ctx: CallContext, threads: readonly CommentRow[]) {
  const order = sql`partition by ${workflowComment.threadId} order by ${workflowComment.createdAt} desc, ${workflowComment.id} desc`
  const ranked = ctx.tx
    .select({
      ...getTableColumns(workflowComment),
      place: sql<number>`row_number() over (${order})`.as('place'),
      total: sql<number>`(count(*) over (partition by ${workflowComment.threadId}))::int`.as('total'),
    })
    .from(workflowComment)
    .where(
      inArray(
        workflowComment.threadId,
        threads.map(({ id }) => id),
      ),
    )
    .as('ranked')
  return ctx.tx
    .select()
    .from(ranked)
    .where(lte(ranked.place, COMMENT_LIMITS.replies))
    .orderBy(ranked.createdAt, ranked.id)
}

async function presenter(ctx: CallContext, workflow: WorkflowRecord, rows: readonly CommentRow[]) {
  const people = await peopleOf(ctx, rows)
  const [seen] = await ctx.tx
    .select({ at: workflowCommentSeen.seenAt })
    .from(workflowCommentSeen)
    .where(and(eq(workflowCommentSeen.userId, ctx.user.id), eq(workflowCommentSeen.workflowId, workflow.id)))
  const person = (id: string | null): Commenter | null => (id === null ? null : (people.get(id) ?? null))
  const mayDeleteAll = ctx.can('DELETE', 'WORKFLOW', workflow)
  const canOf = ({ authorId, deletedAt }: CommentRow): Comment['can'] => {
    if (deletedAt || !isThemselves(ctx)) return []
    if (authorId === ctx.user.id) return ['edit', 'delete']
    return mayDeleteAll ? ['delete'] : []
  }
  const comment = (row: CommentRow): Comment => ({
    id: row.id,
    text: row.text,
    author: person(row.authorId),
    mentions: row.mentions.flatMap((id) => person(id) ?? []),
    createdAt: iso(row.createdAt),
    editedAt: iso(row.editedAt),
    deleted: row.deletedAt !== null,
    unread: row.authorId !== ctx.user.id && row.deletedAt === null && (!seen || row.createdAt > seen.at),
    version: row.version,
    can: canOf(row),
  })
  return { person, comment }
}

async function peopleOf(ctx: CallContext, rows: readonly CommentRow[]): Promise<Map<string, Commenter>> {
  const ids = new Set(
    rows.flatMap(({ authorId, resolvedBy, mentions }) => [authorId, resolvedBy, ...mentions]),
  )
  const known = [...ids].filter((id) => id !== null)
  if (known.length === 0) return new Map()
  const people = await ctx.tx
    .select({ id: appUser.id, username: appUser.username, displayName: appUser.displayName })
    .from(appUser)
    .where(inArray(appUser.id, known))
  return new Map(people.map((one) => [one.id, one]))
}
