import { bigint, customType, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { EVENT_FEATURES } from '@weft/contract/core/events'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Bytes. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

const KINDS = ['created', 'updated', 'deleted', 'progress'] as const

/** Changes of committed transactions that have no number yet. */
export const eventOutbox = pgTable('event_outbox', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  feature: text({ enum: EVENT_FEATURES }).notNull(),
  recordId: text('record_id').notNull(),
  kind: text({ enum: KINDS }).notNull(),
  parentId: text('parent_id'),
  ownerId: uuid('owner_id'),
  at: at('at').notNull().defaultNow(),
})

/** Changes in the order everybody sees. */
export const event = pgTable('event', {
  seq: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  feature: text({ enum: EVENT_FEATURES }).notNull(),
  recordId: text('record_id').notNull(),
  kind: text({ enum: KINDS }).notNull(),
  parentId: text('parent_id'),
  ownerId: uuid('owner_id'),
  at: at('at').notNull(),
})
export type EventRow = typeof event.$inferSelect

/** Who changed what; only ever added to. */
export const audit = pgTable('audit', {
  id: uuid().primaryKey(),
  at: at('at').notNull().defaultNow(),
  actorId: uuid('actor_id'),
  actorName: text('actor_name').notNull(),
  address: text().notNull(),
  label: text().notNull(),
  feature: text().notNull(),
  recordId: text('record_id'),
  before: jsonb(),
  after: jsonb(),
  requestId: text('request_id').notNull(),
})

/** Answers kept for requests that are sent again. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: uuid('user_id').notNull(),
    endpoint: text().notNull(),
    key: text().notNull(),
    requestHash: bytea('request_hash').notNull(),
    answer: jsonb(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.endpoint, table.key] })],
)
