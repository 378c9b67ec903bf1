import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { bytea } from '../../../kit/tables.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** What a link may be good for. */
export const LINK_PURPOSES = ['resetPassword', 'invite'] as const

/** Links given to one person, good once. */
export const oneTimeLink = pgTable('one_time_link', {
  hash: bytea().primaryKey(),
  purpose: text({ enum: LINK_PURPOSES }).notNull(),
  userId: uuid('user_id').notNull(),
  createdAt: at('created_at').notNull(),
  createdBy: uuid('created_by'),
  expiresAt: at('expires_at').notNull(),
  usedAt: at('used_at'),
})

/** Passwords that a person had before. */
export const passwordHistory = pgTable('password_history', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  hash: text().notNull(),
  replacedAt: at('replaced_at').notNull(),
})
