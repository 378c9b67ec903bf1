import { bigint, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const FILE_PURPOSES = ['upload', 'run', 'snapshot', 'video', 'page'] as const

/** A named reference to bytes of the file store. Several may share one hash. */
export const file = pgTable('file', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id'),
  name: text().notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  contentType: text('content_type').notNull(),
  sha256: text().notNull(),
  purpose: text({ enum: FILE_PURPOSES }).notNull().default('upload'),
  runId: uuid('run_id'),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  createdBy: uuid('created_by'),
})
export type FileRow = typeof file.$inferSelect
