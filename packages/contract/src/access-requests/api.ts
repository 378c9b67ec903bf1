import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { ACTIONS, SUBJECTS } from '../core/permissions.ts'

const at = '/api-user/api/v1/user'

/** A right, as a page or a call asks for it. */
export const rightSchema = z.object({ action: z.enum(ACTIONS), subject: z.enum(SUBJECTS) })

export const accessRequests = defineApi('accessRequests', {
  need: {
    method: 'GET',
    path: `${at}/access-need`,
    access: 'signedIn',
    summary: 'Which right the caller lacks for a page of the console, and who can give it',
    input: z.strictObject({ path: z.string().min(1).max(500) }),
    data: z.object({ missing: rightSchema.nullable(), givers: z.array(z.string()) }),
  },
  request: {
    method: 'POST',
    path: `${at}/request-access`,
    access: 'signedIn',
    summary: 'Ask those for a right who can give it; once in 5 minutes for the same right',
    input: z.strictObject({
      action: z.enum(ACTIONS),
      subject: z.enum(SUBJECTS),
      note: z.string().trim().max(300).default(''),
    }),
    data: z.object({ told: z.number().int() }),
    audit: 'access.request',
    idempotent: false,
  },
})
