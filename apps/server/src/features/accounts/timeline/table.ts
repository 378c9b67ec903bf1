import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { ACCOUNT_STATUSES } from '@weft/contract/accounts/schema'

/** What runs made of an account's status; a trigger writes it. */
export const accountEvent = pgTable('account_event', {
  id: uuid().primaryKey().defaultRandom(),
  accountId: uuid('account_id').notNull(),
  at: timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow(),
  before: text({ enum: ACCOUNT_STATUSES }).notNull(),
  after: text({ enum: ACCOUNT_STATUSES }).notNull(),
  reason: text(),
  error: text(),
})
