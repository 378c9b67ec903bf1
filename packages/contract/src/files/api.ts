import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, idInput, timestamp } from '../core/record.ts'

/** A stored file; its bytes are addressed by their hash, so the same bytes are kept once. */
export const fileSchema = z.object({
  id,
  name: z.string(),
  size: z.number().int(),
  contentType: z.string(),
  sha256: z.string(),
  createdAt: timestamp,
})
export type StoredFile = z.infer<typeof fileSchema>

export const FILE_MAX_BYTES = 200 * 1024 * 1024

/** Files that a workflow's inputs or a video use. */
export const files = defineApi('files', {
  upload: {
    method: 'POST',
    path: '/api-internal/api/v1/file/upload',
    access: { action: 'CREATE', subject: 'CAMPAIGN' },
    summary: 'Store a file for workflows to upload',
    input: z.strictObject({
      name: z.string().trim().min(1).max(255),
      /** `page`: for a page that asks for it just now; it counts to the person's storage, and goes after a day. */
      purpose: z.enum(['upload', 'page']).default('upload'),
    }),
    rawBody: { maxBytes: FILE_MAX_BYTES },
    data: fileSchema,
    audit: 'file.upload',
    idempotent: false,
  },
  get: {
    method: 'GET',
    path: '/api-internal/api/v1/file/get/{id}',
    access: 'signedIn',
    byApiToken: true,
    summary: 'What a stored file is; only its owner and who may see what it belongs to',
    input: idInput,
    data: fileSchema,
  },
  content: {
    method: 'GET',
    path: '/api-internal/api/v1/file/content/{id}',
    access: 'signedIn',
    byApiToken: true,
    summary: 'The bytes of a stored file',
    input: idInput,
    stream: ['application/octet-stream', 'image/png', 'image/jpeg', 'application/zip'],
  },
})
