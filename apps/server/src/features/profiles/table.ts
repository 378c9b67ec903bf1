import { sql } from 'drizzle-orm'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { BROWSER_TYPES, PROFILE_STATUSES } from '@weft/contract/profiles/schema'
import { recordColumns } from '../../kit/record.ts'

/** A browser's lasting state: its settings here, what it keeps in its sessions. */
export const profile = pgTable('profile', {
  ...recordColumns(),
  name: text().notNull(),
  browserType: text('browser_type', { enum: BROWSER_TYPES }).notNull(),
  deviceId: uuid('device_id'),
  locale: text(),
  timeZone: text('time_zone'),
  proxyId: uuid('proxy_id'),
  startUrls: text('start_urls').array().notNull().default([]),
  status: text({ enum: PROFILE_STATUSES }).notNull().default('empty'),
  homeClientId: uuid('home_client_id'),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type ProfileRow = typeof profile.$inferSelect
