import { z } from 'zod'
import { id, timestamp, version } from '../core/record.ts'

/** The longest comment, and how many replies come with a thread; more are read a page at a time. */
export const COMMENT_LIMITS = { text: 4000, replies: 10 } as const

/** What somebody writes: plain text with line breaks; `@username` mentions somebody who may see the workflow. */
export const commentText = z.string().trim().min(1).max(COMMENT_LIMITS.text)

/** Somebody as comments name them. */
export const commenterSchema = z.object({ id, username: z.string(), displayName: z.string() })
export type Commenter = z.infer<typeof commenterSchema>

/** One comment. `text` is empty where it was deleted and has replies. */
export const commentSchema = z.object({
  id,
  text: z.string(),
  /** Null where the person is gone. */
  author: commenterSchema.nullable(),
  /** Those named in the text who were told. */
  mentions: z.array(commenterSchema),
  createdAt: timestamp,
  editedAt: timestamp.nullable(),
  deleted: z.boolean(),
  /** Of somebody else, and written since the caller last looked. */
  unread: z.boolean(),
  version,
  can: z.array(z.enum(['edit', 'delete'])),
})
export type Comment = z.infer<typeof commentSchema>

/** A comment with its replies: on a step, or, without `activityId`, on the workflow as a whole. */
export const threadSchema = commentSchema.extend({
  workflowId: id,
  activityId: z.string().nullable(),
  /** Of the step when it was commented on, where it was saved by then: its type and own name. */
  activity: z.object({ type: z.string(), name: z.string() }).nullable(),
  resolvedAt: timestamp.nullable(),
  resolvedBy: commenterSchema.nullable(),
  replyCount: z.number().int(),
  /** The newest, the oldest of them first. */
  replies: z.array(commentSchema),
})
export type CommentThread = z.infer<typeof threadSchema>

/** How much is said about each step and about the whole, of what is not resolved. */
export const commentSummarySchema = z.object({
  places: z.array(
    z.object({ activityId: z.string().nullable(), open: z.number().int(), unread: z.number().int() }),
  ),
  open: z.number().int(),
  /** Also of resolved threads. */
  unread: z.number().int(),
})
export type CommentSummary = z.infer<typeof commentSummarySchema>

export const COMMENT_STATES = ['open', 'resolved'] as const
/** What a thread is about: `removed` stands for steps that the saved draft has no more. */
export const COMMENT_PLACES = ['step', 'workflow', 'removed'] as const
