import { integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { MAIL_KINDS, MAIL_STATES } from '@weft/contract/access/mail/schema'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The outbox. */
export const mail = pgTable('mail', {
  id: uuid().primaryKey(),
  kind: text({ enum: MAIL_KINDS }).notNull(),
  userId: uuid('user_id'),
  to: text('to_address').notNull(),
  subject: text().notNull(),
  sealedText: text('sealed_text'),
  state: text({ enum: MAIL_STATES }).notNull().default('waiting'),
  attempts: integer().notNull().default(0),
  lastError: text('last_error'),
  createdAt: at('created_at').notNull().defaultNow(),
  sentAt: at('sent_at'),
})
export type MailRow = typeof mail.$inferSelect
