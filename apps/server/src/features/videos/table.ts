import { sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { VIDEO_CONTAINERS, VIDEO_FAILURES } from '@weft/contract/videos/schema'
import { VIDEO_STATUSES } from '@weft/contract/videos/states'
import { recordColumns } from '../../kit/record.ts'
import { bytea } from '../../kit/tables.ts'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A video to publish; the bytes are a file. */
export const video = pgTable('video', {
  ...recordColumns(),
  title: text().notNull(),
  description: text().notNull().default(''),
  channelName: text('channel_name'),
  rights: text().notNull().default(''),
  rightsSource: text('rights_source'),
  licence: text(),
  rightsUntil: at('rights_until'),
  fileId: uuid('file_id'),
  container: text({ enum: VIDEO_CONTAINERS }),
  durationMs: integer('duration_ms'),
  width: integer(),
  height: integer(),
  codec: text(),
  poster: text(),
  status: text({ enum: VIDEO_STATUSES }).notNull().default('uploading'),
  failure: text({ enum: VIDEO_FAILURES }),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type VideoRow = typeof video.$inferSelect

/** A video's bytes on their way; the id is the video's. */
export const videoUpload = pgTable('video_upload', {
  id: uuid().primaryKey(),
  ownerId: uuid('owner_id').notNull(),
  /** The sender's own name for it. */
  key: text().notNull(),
  name: text().notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  /** As much of it as had arrived when its last part ended. */
  received: bigint({ mode: 'number' }).notNull().default(0),
  promisedSha256: text('promised_sha256'),
  sha256: text(),
  createdAt: at('created_at').notNull().defaultNow(),
  touchedAt: at('touched_at').notNull().defaultNow(),
  receivedAt: at('received_at'),
  finishedAt: at('finished_at'),
})
export type VideoUploadRow = typeof videoUpload.$inferSelect

/** The picture that stands for a video, small enough to live beside it. */
export const videoPoster = pgTable('video_poster', {
  videoId: uuid('video_id').primaryKey(),
  contentType: text('content_type').notNull(),
  bytes: bytea().notNull(),
  hash: text().notNull(),
  updatedAt: at('updated_at').notNull(),
})
