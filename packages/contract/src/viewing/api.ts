import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, timestamp } from '../core/record.ts'

const at = '/api-user/api/v1/user'

export const viewing = defineApi('viewing', {
  start: {
    method: 'POST',
    path: `${at}/view-as/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary:
      'See the console as somebody, without changing anything; half an hour at most, and they are told',
    input: z.strictObject({ id, reason: z.string().trim().min(3).max(300) }),
    data: z.object({ until: timestamp }),
    audit: 'user.view_as',
    idempotent: false,
  },
  stop: {
    method: 'POST',
    path: `${at}/stop-viewing`,
    access: 'signedIn',
    summary: 'Be oneself again',
    data: z.object({ stopped: z.boolean() }),
    audit: 'user.stop_viewing',
    idempotent: false,
    duringMaintenance: true,
    readsOnly: true,
  },
})
