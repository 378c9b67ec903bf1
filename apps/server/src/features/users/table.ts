import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { QUOTA_KINDS } from '@weft/contract/users/quota'

/** How many records of a kind somebody and all below them may have at once. */
export const userQuota = pgTable(
  'user_quota',
  {
    userId: uuid('user_id').notNull(),
    kind: text({ enum: QUOTA_KINDS }).notNull(),
    maxCount: integer('max_count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)
