import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { FieldError } from '@weft/contract/core/errors'
import { IMPORT_KINDS, importStates } from '@weft/contract/imports/schema'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Why a row cannot be taken. */
export type RowProblem = FieldError

/** An uploaded set of rows and how far it is. */
export const importBatch = pgTable('import', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id').notNull(),
  kind: text({ enum: IMPORT_KINDS }).notNull(),
  format: text({ enum: ['csv', 'xlsx', 'json', 'ndjson', 'lines'] }).notNull(),
  fileName: text('file_name'),
  state: text({ enum: importStates }).notNull().default('checked'),
  columns: text().array().notNull().default([]),
  mapping: jsonb().$type<Record<string, string>>().notNull().default({}),
  take: text({ enum: ['all', 'good'] }),
  onDuplicate: text('on_duplicate', { enum: ['skip', 'update', 'refuse'] }),
  total: integer().notNull().default(0),
  good: integer().notNull().default(0),
  bad: integer().notNull().default(0),
  duplicates: integer().notNull().default(0),
  processed: integer().notNull().default(0),
  created: integer().notNull().default(0),
  updated: integer().notNull().default(0),
  /** Rows whose record was there already. */
  skipped: integer().notNull().default(0),
  /** Rows that could not be taken. */
  refused: integer().notNull().default(0),
  createdAt: at('created_at').notNull().defaultNow(),
  startedAt: at('started_at'),
  finishedAt: at('finished_at'),
})
export type ImportRecord = typeof importBatch.$inferSelect

/** One row of an upload; `source` is sealed, because it may hold passwords. */
export const importRow = pgTable(
  'import_row',
  {
    importId: uuid('import_id').notNull(),
    row: integer().notNull(),
    source: text().notNull(),
    identity: text(),
    problems: jsonb().$type<RowProblem[]>(),
    duplicate: boolean().notNull().default(false),
    outcome: text({ enum: ['created', 'updated', 'skipped', 'refused'] }),
    recordId: uuid('record_id'),
    /** Of a record that was changed: the version it got, and how the changed columns were before. */
    version: integer(),
    before: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
)
