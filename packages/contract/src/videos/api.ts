import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { queryList } from '../core/list.ts'
import { id, idInput, timestamp } from '../core/record.ts'
import { RESOURCES_PREFIX, resourceApi } from '../core/resource.ts'
import { VIDEO_RIGHTS, uploadsSchema, videoCreate, videoSchema, videoUpdate } from './schema.ts'
import { VIDEO_STATUSES } from './states.ts'

const at = `${RESOURCES_PREFIX}/video`

/** Where uploads are made, by the tus protocol (1.0: creation, creation-with-upload, termination). */
export const UPLOADS_PATH = `${at}/upload`
/** As much as the console sends in one request. */
export const UPLOAD_CHUNK_BYTES = 8 * 1024 * 1024

export const POSTER_MAX_BYTES = 512 * 1024
/** A poster's longer side at most. */
export const POSTER_MAX_SIDE = 1920
export const POSTER_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export const VIDEO_TYPES = ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska'] as const

const common = resourceApi({
  feature: 'videos',
  path: 'video',
  subject: 'VIDEO',
  noun: 'video',
  record: videoSchema,
  create: videoCreate,
  update: videoUpdate,
  sortable: ['title', 'channelName', 'status', 'rightsUntil', 'createdAt', 'updatedAt'],
  filters: {
    status: queryList(z.enum(VIDEO_STATUSES)).optional(),
    rightsEnd: queryList(z.enum(VIDEO_RIGHTS)).optional(),
    tag: z.string().max(40).optional(),
  },
})

const own = defineApi('videos', {
  uploads: {
    method: 'GET',
    path: `${at}/uploads`,
    access: { action: 'CREATE', subject: 'VIDEO' },
    summary: `One’s own unfinished uploads, and how much may still be uploaded; uploads are made by tus 1.0 at ${UPLOADS_PATH}`,
    input: z.strictObject({
      /** Uploads by these names of the sender's are told too where they have become videos. */
      keys: queryList(z.string().max(100)).optional(),
    }),
    data: uploadsSchema,
  },
  play: {
    method: 'POST',
    path: `${at}/play/{id}`,
    access: { action: 'VIEW', subject: 'VIDEO' },
    summary: 'Let this browser’s player read the video for some hours: sets a cookie for its content alone',
    input: idInput,
    data: z.object({ url: z.string(), expiresAt: timestamp }),
    idempotent: false,
    readsOnly: true,
  },
  content: {
    method: 'GET',
    path: `${at}/content/{id}`,
    // Players send no header of ours: who may see it is told by the cookie of `play` or by the usual token.
    access: 'public',
    summary: 'The video itself, whole or in parts (Range)',
    input: z.strictObject({ id, download: z.stringbool().optional() }),
    stream: VIDEO_TYPES,
  },
  poster: {
    method: 'GET',
    path: `${at}/poster/{id}`,
    access: { action: 'VIEW', subject: 'VIDEO' },
    summary: 'The picture that stands for the video',
    input: z.strictObject({
      id,
      /** What `poster` of the video says: with it the answer may be kept for good. */
      v: z.string().max(40).optional(),
    }),
    stream: POSTER_TYPES,
  },
  setPoster: {
    method: 'POST',
    path: `${at}/poster/{id}`,
    access: { action: 'UPDATE', subject: 'VIDEO' },
    summary: 'Set the picture that stands for the video: JPEG, PNG or WebP, 512 kB and 1920 × 1920 at most',
    input: idInput,
    rawBody: { maxBytes: POSTER_MAX_BYTES },
    data: z.object({ poster: z.string() }),
    audit: 'video.poster',
    idempotent: false,
  },
  archive: {
    method: 'POST',
    path: `${at}/archive/{id}`,
    access: { action: 'UPDATE', subject: 'VIDEO' },
    summary: 'Keep a video and offer it to campaigns no more',
    input: idInput,
    data: videoSchema,
    audit: 'video.archive',
  },
  unarchive: {
    method: 'POST',
    path: `${at}/unarchive/{id}`,
    access: { action: 'UPDATE', subject: 'VIDEO' },
    summary: 'Offer an archived video again',
    input: idInput,
    data: videoSchema,
    audit: 'video.unarchive',
  },
  duplicates: {
    method: 'GET',
    path: `${at}/duplicates/{id}`,
    access: { action: 'VIEW', subject: 'VIDEO' },
    summary: 'Other videos with the very same bytes, among those that one may see',
    input: idInput,
    data: z.array(z.object({ id, title: z.string() })),
  },
})

export const videos = { ...common, ...own }
