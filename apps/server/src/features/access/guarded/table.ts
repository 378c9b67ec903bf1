import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Settings beside which a secret is kept. */
export const guardedSetting = pgTable('guarded_setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  sealed: text(),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedBy: uuid('updated_by'),
})
