import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Settings that were ever changed from their defaults; without a value it is the default again. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb(),
  version: integer().notNull().default(1),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedBy: uuid('updated_by'),
})
