import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import {
  ACCOUNT_STATUSES,
  ACCOUNT_TYPES,
  NO_LIMITS,
  type limitsSchema,
  type ownershipSchema,
} from '@weft/contract/accounts/schema'
import { recordColumns } from '../../kit/record.ts'

/** An account at a site; password, TOTP seed and recovery codes are sealed. */
export const account = pgTable('account', {
  ...recordColumns(),
  type: text({ enum: ACCOUNT_TYPES }).notNull(),
  username: text().notNull(),
  displayName: text('display_name'),
  email: text(),
  channelName: text('channel_name'),
  profileId: uuid('profile_id'),
  proxyId: uuid('proxy_id'),
  phoneId: uuid('phone_id'),
  allowedDomains: text('allowed_domains').array().notNull().default([]),
  limits: jsonb().$type<z.input<typeof limitsSchema>>().notNull().default(NO_LIMITS),
  ownership: jsonb().$type<z.infer<typeof ownershipSchema>>(),
  status: text({ enum: ACCOUNT_STATUSES }).notNull().default('new'),
  password: text(),
  totpSeed: text('totp_seed'),
  recoveryCodes: text('recovery_codes'),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true, precision: 3 }),
  lastError: text('last_error'),
  /** Why and since when it needs a person; said while its status is `needs_sign_in`. */
  personReason: text('person_reason', { enum: ['challenge', 'rejected'] }),
  personSince: timestamp('person_since', { withTimezone: true, precision: 3 }),
  /** Until when it rests, while it is `cooling_down`. */
  coolingUntil: timestamp('cooling_until', { withTimezone: true, precision: 3 }),
  /** How many runs in a row failed with the same words, and which these are. */
  failures: integer().notNull().default(0),
  failureError: text('failure_error'),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type AccountRow = typeof account.$inferSelect
