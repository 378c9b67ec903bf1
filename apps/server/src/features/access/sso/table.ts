import { boolean, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { recordColumns } from '../../../kit/record.ts'
import { bytea } from '../../../kit/tables.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Providers by which people may sign in. */
export const ssoProvider = pgTable('sso_provider', {
  ...recordColumns(),
  key: text().notNull(),
  name: text().notNull(),
  issuer: text().notNull(),
  appKey: text('app_key').notNull(),
  sealedSecret: text('sealed_secret'),
  scopes: text().notNull(),
  signUp: boolean('sign_up').notNull(),
  roleKey: text('role_key').notNull(),
  enabled: boolean().notNull(),
})
export type ProviderRow = typeof ssoProvider.$inferSelect

/** Who somebody is for a provider. */
export const ssoIdentity = pgTable(
  'sso_identity',
  {
    providerId: uuid('provider_id').notNull(),
    subject: text().notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: at('created_at').notNull(),
    lastUsedAt: at('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.subject] })],
)

/** A browser on its way to a provider and back. */
export const ssoAttempt = pgTable('sso_attempt', {
  stateHash: bytea('state_hash').primaryKey(),
  providerId: uuid('provider_id').notNull(),
  browserHash: bytea('browser_hash').notNull(),
  nonce: text().notNull(),
  sealedVerifier: text('sealed_verifier').notNull(),
  remembered: boolean().notNull(),
  nextUrl: text('next_url').notNull(),
  expiresAt: at('expires_at').notNull(),
})
export type AttemptRow = typeof ssoAttempt.$inferSelect
