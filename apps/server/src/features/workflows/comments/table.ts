import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A comment on a workflow or on a step of it; a reply names its thread, which is the comment that began it. */
export const workflowComment = pgTable('workflow_comment', {
  id: uuid().primaryKey(),
  workflowId: uuid('workflow_id').notNull(),
  threadId: uuid('thread_id'),
  stepId: text('step_id'),
  /** What the step was when it was commented on, for when it is gone. */
  step: jsonb().$type<{ type: string; name: string }>(),
  text: text().notNull(),
  authorId: uuid('author_id'),
  mentions: uuid().array().notNull().default([]),
  version: integer().notNull().default(1),
  createdAt: at('created_at').notNull().defaultNow(),
  editedAt: at('edited_at'),
  deletedAt: at('deleted_at'),
  resolvedAt: at('resolved_at'),
  resolvedBy: uuid('resolved_by'),
  /** When something was last said in the thread. */
  lastAt: at('last_at').notNull().defaultNow(),
})
export type CommentRow = typeof workflowComment.$inferSelect

/** When somebody last looked at the comments of a workflow. */
export const workflowCommentSeen = pgTable(
  'workflow_comment_seen',
  {
    userId: uuid('user_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    seenAt: at('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.workflowId] })],
)
