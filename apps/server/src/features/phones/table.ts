import { sql } from 'drizzle-orm'
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { PHONE_KINDS, PHONE_STATUSES } from '@weft/contract/phones/schema'
import { recordColumns } from '../../kit/record.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A telephone number. */
export const phone = pgTable('phone', {
  ...recordColumns(),
  countryCode: text('country_code').notNull(),
  phoneNumber: text('phone_number').notNull(),
  label: text(),
  owner: text(),
  deviceNote: text('device_note'),
  kind: text({ enum: PHONE_KINDS }).notNull(),
  status: text({ enum: PHONE_STATUSES }).notNull().default('new'),
  /** Set by the database along with the status. */
  verifiedAt: at('verified_at'),
  /** When a run that had it ended last. */
  lastUsedAt: at('last_used_at'),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type PhoneRow = typeof phone.$inferSelect
