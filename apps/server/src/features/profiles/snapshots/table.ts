import { boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A kept session as a run left it. Triggers of `profile_session` write and prune these rows. */
export const profileSnapshot = pgTable('profile_snapshot', {
  id: uuid().primaryKey().defaultRandom(),
  profileId: uuid('profile_id').notNull(),
  accountId: uuid('account_id'),
  username: text(),
  fileId: uuid('file_id').notNull(),
  savedAt: at('saved_at').notNull(),
  expiresAt: at('expires_at'),
  replacedAt: at('replaced_at'),
  pinned: boolean().notNull().default(false),
})
