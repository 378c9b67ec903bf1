import { bigint, boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { bytea } from '../../../kit/tables.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Keys that a person's devices keep, each good for signing in here. */
export const passkey = pgTable('passkey', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  credentialId: text('credential_id').notNull(),
  publicKey: bytea('public_key').notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  transports: text().array().notNull().default([]),
  backedUp: boolean('backed_up').notNull(),
  createdAt: at('created_at').notNull(),
  lastUsedAt: at('last_used_at'),
})
export type PasskeyRow = typeof passkey.$inferSelect

/** What a session's browser is asked to sign when it makes a passkey. */
export const passkeyChallenge = pgTable('passkey_challenge', {
  sessionId: uuid('session_id').primaryKey(),
  challenge: text().notNull(),
  expiresAt: at('expires_at').notNull(),
})
