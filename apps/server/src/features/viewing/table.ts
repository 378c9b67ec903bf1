import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A session whose person looks on as somebody else, and until when. */
export const sessionView = pgTable('session_view', {
  sessionId: uuid('session_id').primaryKey(),
  userId: uuid('user_id').notNull(),
  reason: text().notNull(),
  startedAt: at('started_at').notNull(),
  endsAt: at('ends_at').notNull(),
})
export type SessionViewRow = typeof sessionView.$inferSelect
