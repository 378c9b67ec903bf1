import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { VIDEO_STATUSES } from '@weft/contract/videos/schema'
import { recordColumns } from '../../kit/record.ts'

/** A video to publish; the bytes are a file. */
export const video = pgTable('video', {
  ...recordColumns(),
  title: text().notNull(),
  description: text().notNull().default(''),
  channelName: text('channel_name'),
  rights: text().notNull().default(''),
  fileId: uuid('file_id'),
  durationMs: integer('duration_ms'),
  width: integer(),
  height: integer(),
  codec: text(),
  status: text({ enum: VIDEO_STATUSES }).notNull().default('uploading'),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type VideoRow = typeof video.$inferSelect
