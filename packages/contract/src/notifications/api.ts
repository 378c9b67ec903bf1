import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryFlag } from '../core/list.ts'
import { id } from '../core/record.ts'
import { NOTIFICATION_KIND_NAMES, notificationSchema } from './schema.ts'
import { unreadNotifications } from './unread.ts'

const at = '/api-user/api/v1/notification'

const others = defineApi('notifications', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: 'signedIn',
    summary: 'What the caller was told, the newest first',
    input: listQuery({ sortable: ['at'], filters: { unread: queryFlag.optional() } }),
    list: notificationSchema,
  },
  read: {
    method: 'POST',
    path: `${at}/read`,
    access: 'signedIn',
    summary: 'Mark notifications as read: some, or all',
    // Without `only` all of them.
    input: z.strictObject({ only: z.array(id).min(1).max(1000).optional() }),
    data: z.object({ changed: z.number().int() }),
  },
  muted: {
    method: 'GET',
    path: `${at}/muted`,
    access: 'signedIn',
    summary: 'Kinds of notifications that the caller does not want',
    data: z.object({ kinds: z.array(z.enum(NOTIFICATION_KIND_NAMES)) }),
  },
  mute: {
    method: 'POST',
    path: `${at}/mute`,
    access: 'signedIn',
    summary: 'Want no more notifications of a kind, or want them again',
    input: z.strictObject({ kind: z.enum(NOTIFICATION_KIND_NAMES), muted: z.boolean() }),
    data: z.object({ kinds: z.array(z.enum(NOTIFICATION_KIND_NAMES)) }),
  },
})

export const notifications = { ...unreadNotifications, ...others }
