import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'

/** How much is unread, apart from the kinds of notifications: every page asks for it. */
export const unreadNotifications = defineApi('notifications', {
  unread: {
    method: 'GET',
    path: '/api-user/api/v1/notification/unread',
    access: 'signedIn',
    summary: 'How many notifications the caller has not read',
    data: z.object({ count: z.number().int() }),
  },
})
