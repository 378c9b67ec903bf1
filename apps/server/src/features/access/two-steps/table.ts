import { bigint, boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { bytea } from '../../../kit/tables.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A person's authenticator app. */
export const totpFactor = pgTable('totp_factor', {
  userId: uuid('user_id').primaryKey(),
  sealedSecret: text('sealed_secret').notNull(),
  createdAt: at('created_at').notNull(),
  confirmedAt: at('confirmed_at'),
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
})
export type TotpRow = typeof totpFactor.$inferSelect

/** Codes that stand in for a lost authenticator, once each. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: uuid('user_id').notNull(),
    hash: bytea().notNull(),
    usedAt: at('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

/** A sign-in whose password was right and whose second step is open. */
export const signInTicket = pgTable('sign_in_ticket', {
  hash: bytea().primaryKey(),
  userId: uuid('user_id').notNull(),
  remembered: boolean().notNull(),
  enrol: boolean().notNull(),
  attempts: integer().notNull().default(0),
  challenge: text(),
  expiresAt: at('expires_at').notNull(),
})
export type TicketRow = typeof signInTicket.$inferSelect
