import { jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Arrangement } from '@weft/contract/views/schema'

/** One preference of one person. */
export const userPreference = pgTable(
  'user_preference',
  {
    userId: uuid('user_id').notNull(),
    name: text().notNull(),
    value: jsonb().$type<string | boolean | Arrangement>().notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
)
