import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { BULK_ACTIONS, bulkStates } from '@weft/contract/bulks/schema'
import type { Rule } from '@weft/contract/core/permissions'
import { IMPORT_KINDS } from '@weft/contract/imports/schema'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** One thing done to many records, and how far it is. */
export const bulk = pgTable('bulk', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text({ enum: IMPORT_KINDS }).notNull(),
  action: text({ enum: [...BULK_ACTIONS, 'undo'] }).notNull(),
  fields: text().array().notNull().default([]),
  tags: text().array().notNull().default([]),
  input: text(),
  rules: jsonb().$type<Rule[]>(),
  state: text({ enum: bulkStates }).notNull().default('running'),
  listed: boolean().notNull().default(false),
  total: integer().notNull().default(0),
  processed: integer().notNull().default(0),
  done: integer().notNull().default(0),
  unchanged: integer().notNull().default(0),
  refused: integer().notNull().default(0),
  undoes: uuid(),
  createdAt: at('created_at').notNull().defaultNow(),
  finishedAt: at('finished_at'),
})
export type BulkRecord = typeof bulk.$inferSelect

/** Some of the records that a large one is for. */
export const bulkChunk = pgTable(
  'bulk_chunk',
  {
    bulkId: uuid('bulk_id').notNull(),
    n: integer().notNull(),
    ids: uuid().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.bulkId, table.n] })],
)

/** What became of one record: the version it was changed to and how it was before, or why it was refused. */
export const bulkRow = pgTable(
  'bulk_row',
  {
    bulkId: uuid('bulk_id').notNull(),
    recordId: uuid('record_id').notNull(),
    version: integer(),
    before: jsonb().$type<Record<string, unknown>>(),
    code: text(),
    name: text(),
  },
  (table) => [primaryKey({ columns: [table.bulkId, table.recordId] })],
)
