import { bigint, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { RUN_CYCLES, RUN_RESULTS, type RunError } from '@weft/contract/runs/schema'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** One execution of one release on one client. Life cycle and result are kept apart; a finished run never changes. */
export const run = pgTable('run', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id'),
  campaignId: uuid('campaign_id'),
  itemId: uuid('item_id'),
  /** Null for an attended run. */
  workflowId: uuid('workflow_id'),
  /** Null for an attended run and for a test run. */
  release: integer(),
  attempt: integer().notNull(),
  fence: integer().notNull(),
  clientId: uuid('client_id').notNull(),
  accountId: uuid('account_id'),
  cycle: text({ enum: RUN_CYCLES }).notNull().default('queued'),
  result: text({ enum: RUN_RESULTS }),
  error: jsonb().$type<RunError>(),
  cancelRequestedAt: at('cancel_requested_at'),
  cancelReason: text('cancel_reason'),
  cancelMode: text('cancel_mode', { enum: ['graceful', 'now'] }),
  step: text(),
  outputs: jsonb().$type<Record<string, unknown>>(),
  queuedAt: at('queued_at').notNull().defaultNow(),
  claimedAt: at('claimed_at'),
  startedAt: at('started_at'),
  finishedAt: at('finished_at'),
  heldUntil: at('held_until').notNull(),
  retryOfId: uuid('retry_of_id'),
  agentVersion: text('agent_version'),
  browser: text(),
  eventsAck: integer('events_ack').notNull().default(0),
  intents: text().array().notNull().default([]),
  confirmed: text().array().notNull().default([]),
  logBytes: bigint('log_bytes', { mode: 'number' }).notNull().default(0),
  startAt: text('start_at'),
  /** The hold that it goes on from. */
  holdId: uuid('hold_id'),
  checkpoint: jsonb().$type<Record<string, unknown>>(),
})
export type RunRow = typeof run.$inferSelect

/** Reports of a run as they came, in batches of contiguous numbers. */
export const runEvent = pgTable('run_event', {
  runId: uuid('run_id').notNull(),
  firstSeq: integer('first_seq').notNull(),
  lastSeq: integer('last_seq').notNull(),
  events: jsonb().notNull(),
})

/** What came after the run was over: evidence, applied to nothing. */
export const runLateReport = pgTable('run_late_report', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  runId: uuid('run_id').notNull(),
  at: at('at').notNull().defaultNow(),
  kind: text().notNull(),
  detail: jsonb().notNull(),
})
