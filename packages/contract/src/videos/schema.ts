import { z } from 'zod'
import { baseRecord, id, notes, tags } from '../core/record.ts'
import { leaseSchema } from '../core/lease.ts'

export const VIDEO_STATUSES = ['uploading', 'processing', 'ready', 'failed', 'archived'] as const

const plain = {
  title: z.string().trim().min(1).max(200),
  description: z.string().max(10_000),
  channelName: z.string().trim().max(200).nullable(),
  rights: z.string().max(2000),
  tags,
  notes,
}
export const videoSchema = z.object({
  ...baseRecord,
  ...plain,
  file: z.object({ id, name: z.string(), size: z.number().int(), sha256: z.string() }).nullable(),
  durationMs: z.number().int().nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  codec: z.string().nullable(),
  status: z.enum(VIDEO_STATUSES),
  lease: leaseSchema.nullable(),
})
export type Video = z.infer<typeof videoSchema>
export const videoCreate = {
  ...plain,
  description: plain.description.default(''),
  channelName: plain.channelName.default(null),
  rights: plain.rights.default(''),
  tags: tags.default([]),
  notes: notes.default(''),
  fileId: id.nullable().default(null),
}
export const videoUpdate = { ...z.object(plain).partial().shape, fileId: id.optional() }
