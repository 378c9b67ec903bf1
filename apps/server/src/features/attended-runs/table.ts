import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { FrameMeta } from '@weft/contract/attended-runs/schema'
import type { AttendedPurpose } from '@weft/contract/runs/schema'
import { bytea } from '../../kit/tables.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** What an attended run binds and who has its browser in hand; its life is that of its run. */
export const attendedRun = pgTable('attended_run', {
  runId: uuid('run_id').primaryKey(),
  accountId: uuid('account_id'),
  /** Null for a fresh browser. */
  profileId: uuid('profile_id'),
  proxyId: uuid('proxy_id'),
  purpose: text().$type<AttendedPurpose>().notNull().default('signIn'),
  /** The workflow from whose editor it was opened; a sign-in has none. */
  workflowId: uuid('workflow_id'),
  url: text().notNull(),
  openedBy: uuid('opened_by').notNull(),
  holderId: uuid('holder_id').notNull(),
  holderSeenAt: at('holder_seen_at').notNull().defaultNow(),
  lookedAt: at('looked_at').notNull().defaultNow(),
  watchers: uuid().array().notNull().default([]),
  /** From the run's start to its end by time. */
  seconds: integer().notNull(),
  saveAskedAt: at('save_asked_at'),
  savedAt: at('saved_at'),
})

/** The newest picture of each open browser; nothing else of them is kept. */
export const attendedFrame = pgTable('attended_frame', {
  runId: uuid('run_id').primaryKey(),
  number: integer().notNull(),
  at: at('at').notNull().defaultNow(),
  meta: jsonb().$type<FrameMeta>().notNull(),
  jpeg: bytea().notNull(),
})
