import { z } from 'zod'
import { baseRecord, id, notes, tags, timestamp } from '../core/record.ts'
import { leaseSchema } from '../core/lease.ts'
import { VIDEO_STATUSES } from './states.ts'

/** Why a video failed. */
export const VIDEO_FAILURES = [
  'wrong_checksum',
  'not_a_video',
  'abandoned',
  'cancelled',
  'unreadable',
] as const
export type VideoFailure = (typeof VIDEO_FAILURES)[number]

/** Where a video stands on the way to the end of its rights. */
export const VIDEO_RIGHTS = ['soon', 'expired', 'later', 'never'] as const
/** So long before their end it is said to come soon. */
export const VIDEO_RIGHTS_WARNING_DAYS = 14

/** What a video's bytes are packed in. */
export const VIDEO_CONTAINERS = ['mp4', 'mov', 'webm', 'mkv'] as const
export type VideoContainer = (typeof VIDEO_CONTAINERS)[number]

const plain = {
  title: z.string().trim().min(1).max(200),
  description: z.string().max(10_000),
  channelName: z.string().trim().max(200).nullable(),
  rights: z.string().max(2000),
  /** From whom the rights come. */
  rightsSource: z.string().trim().max(200).nullable(),
  licence: z.string().trim().max(200).nullable(),
  /** From then on campaigns do not use it any more. */
  rightsUntil: timestamp.nullable(),
  tags,
  notes,
}
export const videoSchema = z.object({
  ...baseRecord,
  ...plain,
  file: z.object({ id, name: z.string(), size: z.number().int(), sha256: z.string() }).nullable(),
  /** How much of its bytes has arrived, while they are on their way; null where nobody sends any. */
  upload: z.object({ size: z.number().int(), received: z.number().int() }).nullable(),
  container: z.enum(VIDEO_CONTAINERS).nullable(),
  durationMs: z.number().int().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  codec: z.string().nullable(),
  /** Names the picture that stands for it among those that there were; null while there is none. */
  poster: z.string().nullable(),
  status: z.enum(VIDEO_STATUSES),
  failure: z.enum(VIDEO_FAILURES).nullable(),
  lease: leaseSchema.nullable(),
})
export type Video = z.infer<typeof videoSchema>
export const videoCreate = {
  ...plain,
  description: plain.description.default(''),
  channelName: plain.channelName.default(null),
  rights: plain.rights.default(''),
  rightsSource: plain.rightsSource.default(null),
  licence: plain.licence.default(null),
  rightsUntil: plain.rightsUntil.default(null),
  tags: tags.default([]),
  notes: notes.default(''),
  fileId: id.nullable().default(null),
}
export const videoUpdate = { ...z.object(plain).partial().shape, fileId: id.optional() }

/** An upload of the caller's that is not whole yet. Its id is the video's, and the last part of its address. */
export const openUploadSchema = z.object({
  id,
  title: z.string(),
  name: z.string(),
  size: z.number().int(),
  received: z.number().int(),
  /** What the sender calls this upload, to find it again. */
  key: z.string(),
  startedAt: timestamp,
})
export type OpenUpload = z.infer<typeof openUploadSchema>

/** What somebody may still upload, and what they have begun. */
export const uploadsSchema = z.object({
  open: z.array(openUploadSchema),
  usedBytes: z.number().int(),
  limitBytes: z.number().int(),
  /** The largest file that is taken. */
  maxBytes: z.number().int(),
})
export type Uploads = z.infer<typeof uploadsSchema>

/** What travels in `Upload-Metadata` when an upload begins; other names are let pass and not kept. */
export const uploadMetadata = z.object({
  filename: z.string().min(1).max(255),
  title: plain.title.optional(),
  channelName: z.string().trim().min(1).max(200).optional(),
  /** The sender's own name for this upload: beginning it again gives the one that was begun. */
  key: z
    .string()
    .regex(/^[\w.:-]{8,100}$/)
    .optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** A video that waits for its bytes, or failed; without it a new one is made. */
  videoId: id.optional(),
})
