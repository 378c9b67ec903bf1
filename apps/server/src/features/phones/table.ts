import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { PHONE_KINDS, PHONE_STATUSES } from '@weft/contract/phones/schema'
import { recordColumns } from '../../kit/record.ts'

/** A telephone number. */
export const phone = pgTable('phone', {
  ...recordColumns(),
  countryCode: text('country_code').notNull(),
  phoneNumber: text('phone_number').notNull(),
  label: text(),
  owner: text(),
  kind: text({ enum: PHONE_KINDS }).notNull(),
  status: text({ enum: PHONE_STATUSES }).notNull().default('new'),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type PhoneRow = typeof phone.$inferSelect
