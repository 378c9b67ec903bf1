import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The open pages that show a workflow. Unlogged: after a crash nobody is there. */
export const workflowPresence = pgTable('workflow_presence', {
  /** The hub's own name of the connection. */
  connectionId: text('connection_id').primaryKey(),
  workflowId: uuid('workflow_id').notNull(),
  userId: uuid('user_id').notNull(),
  stepId: text('step_id'),
  since: at('since').notNull().defaultNow(),
  seenAt: at('seen_at').notNull().defaultNow(),
})
