import { z } from 'zod'
import { defineApi } from '../../core/endpoint.ts'
import { id } from '../../core/record.ts'

const at = '/api-user/api/v1/user/avatar'

export const AVATAR_MAX_BYTES = 2 * 1024 * 1024
export const AVATAR_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

/** The pictures that people show of themselves. */
export const avatars = defineApi('avatars', {
  set: {
    method: 'POST',
    path: at,
    access: 'signedIn',
    summary: 'Set one’s own picture: JPEG, PNG or WebP, 2 MB at most',
    rawBody: { maxBytes: AVATAR_MAX_BYTES },
    /** Names this picture among those that there were; changes with it. */
    data: z.object({ avatar: z.string() }),
    audit: 'user.avatar',
    idempotent: false,
  },
  remove: {
    method: 'POST',
    path: `${at}/delete`,
    access: 'signedIn',
    summary: 'Take one’s own picture away',
    audit: 'user.avatar',
  },
  get: {
    method: 'GET',
    path: `${at}/{id}`,
    access: 'signedIn',
    summary: 'A person’s picture; one’s own, or of somebody whom one may see',
    input: z.strictObject({
      id,
      /** What `avatar` of the person says: with it the answer may be kept for good. */
      v: z.string().max(40).optional(),
    }),
    stream: AVATAR_TYPES,
    duringMaintenance: true,
  },
})
