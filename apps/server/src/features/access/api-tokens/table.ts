import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { TokenScope } from '@weft/contract/access/tokens/api'
import { bytea } from '../../../kit/tables.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Tokens for programs that call on somebody's behalf. */
export const apiToken = pgTable('api_token', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  hash: bytea().notNull(),
  start: text().notNull(),
  scopes: jsonb().$type<TokenScope[]>().notNull(),
  createdAt: at('created_at').notNull(),
  expiresAt: at('expires_at').notNull(),
  lastUsedAt: at('last_used_at'),
})
export type ApiTokenRow = typeof apiToken.$inferSelect
