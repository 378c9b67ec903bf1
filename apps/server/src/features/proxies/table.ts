import { sql } from 'drizzle-orm'
import { integer, jsonb, numeric, pgTable, real, text, timestamp } from 'drizzle-orm/pg-core'
import {
  PROXY_CHECK_ERRORS,
  PROXY_PROTOCOLS,
  PROXY_SOURCES,
  PROXY_STATUSES,
  PROXY_TYPES,
} from '@weft/contract/proxies/schema'
import { recordColumns } from '../../kit/record.ts'
import type { HourOfChecks } from './check/tally.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A way out to the network; its password is sealed. */
export const proxy = pgTable('proxy', {
  ...recordColumns(),
  protocol: text({ enum: PROXY_PROTOCOLS }).notNull(),
  host: text().notNull(),
  port: integer().notNull(),
  username: text(),
  password: text(),
  type: text({ enum: PROXY_TYPES }).notNull(),
  proxySource: text('proxy_source', { enum: PROXY_SOURCES }).notNull().default('manual'),
  provider: text(),
  country: text(),
  city: text(),
  latencyMs: integer('latency_ms'),
  exitIp: text('exit_ip'),
  status: text({ enum: PROXY_STATUSES }).notNull().default('unverified'),
  failures: integer().notNull().default(0),
  checkedAt: at('checked_at'),
  expiresAt: at('expires_at'),
  capacity: integer(),
  costPerMonth: numeric('cost_per_month', { mode: 'number' }),
  currency: text(),
  lastError: text('last_error', { enum: PROXY_CHECK_ERRORS }),
  retryAt: at('retry_at'),
  /** Its checks of the last day by the hour, the share that went well, and when the oldest of these hours is a day old. */
  tally: jsonb().$type<HourOfChecks[]>().notNull().default([]),
  successRatio24h: real('success_ratio_24h'),
  tallyUntil: at('tally_until'),
  /** The end that its owner was last warned of. */
  expiryTold: at('expiry_told'),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type ProxyRow = typeof proxy.$inferSelect
