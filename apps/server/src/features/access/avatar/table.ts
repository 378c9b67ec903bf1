import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { bytea } from '../../../kit/tables.ts'

/** The pictures that people show of themselves, small enough to live beside them. */
export const avatar = pgTable('avatar', {
  userId: uuid('user_id').primaryKey(),
  contentType: text('content_type').notNull(),
  bytes: bytea().notNull(),
  hash: text().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull(),
})
