import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { Rule } from '@weft/contract/core/permissions'
import { recordColumns } from '../../kit/record.ts'
import { bytea } from '../../kit/tables.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A person. */
export const appUser = pgTable('app_user', {
  ...recordColumns(),
  username: text().notNull(),
  usernameKey: text('username_key').notNull(),
  email: text(),
  emailKey: text('email_key'),
  displayName: text('display_name').notNull(),
  passwordHash: text('password_hash'),
  locale: text({ enum: ['en', 'fr', 'ar'] })
    .notNull()
    .default('en'),
  timeZone: text('time_zone'),
  status: text({ enum: ['active', 'suspended'] })
    .notNull()
    .default('active'),
  /** Whose sub-user this is; null for who stands on their own. */
  parentId: uuid('parent_id'),
})
export type UserRow = typeof appUser.$inferSelect

/** A bundle of rules. The built-in ones have theirs in the contract. */
export const role = pgTable('role', {
  ...recordColumns(),
  key: text().notNull(),
  name: text().notNull(),
  builtIn: boolean('built_in').notNull().default(false),
  rules: jsonb().$type<Rule[]>(),
  requiresTwoSteps: boolean('requires_two_steps').notNull().default(false),
  description: text().notNull().default(''),
})
export type RoleRow = typeof role.$inferSelect

/** Which roles a person has. */
export const userRole = pgTable(
  'user_role',
  {
    userId: uuid('user_id').notNull(),
    roleId: uuid('role_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.roleId] })],
)

/** Functions that are not as the program has them. */
export const functionState = pgTable('function_state', {
  subject: text().primaryKey(),
  enabled: boolean().notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
  updatedBy: uuid('updated_by'),
})

/** One sign-in on one device, from its beginning to its end. */
export const session = pgTable('session', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  userAgent: text('user_agent').notNull(),
  address: text().notNull(),
  remembered: boolean().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  lastUsedAt: at('last_used_at').notNull().defaultNow(),
  idleUntil: at('idle_until').notNull(),
  expiresAt: at('expires_at').notNull(),
  endedAt: at('ended_at'),
  endReason: text('end_reason'),
  /** When the person last showed in this session who they are. */
  confirmedAt: at('confirmed_at').notNull().defaultNow(),
})
export type SessionRow = typeof session.$inferSelect

/** What a call shows to be let in; kept as its hash. */
export const accessToken = pgTable('access_token', {
  hash: bytea().primaryKey(),
  sessionId: uuid('session_id').notNull(),
  expiresAt: at('expires_at').notNull(),
})

/** What the cookie holds; a new one with each use. */
export const refreshToken = pgTable('refresh_token', {
  hash: bytea().primaryKey(),
  sessionId: uuid('session_id').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  replacedAt: at('replaced_at'),
})

/** The secret of the one-time link for the first administrator. */
export const setupToken = pgTable('setup_token', {
  id: integer().primaryKey(),
  hash: bytea().notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

/** How often signing in failed, by account and address. */
export const signInThrottle = pgTable('sign_in_throttle', {
  key: bytea().primaryKey(),
  failures: integer().notNull(),
  windowEndsAt: at('window_ends_at').notNull(),
  blockedUntil: at('blocked_until'),
})
