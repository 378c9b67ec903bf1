import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Settings that were changed from their defaults. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedBy: uuid('updated_by'),
})
