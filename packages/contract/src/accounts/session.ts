import { z } from 'zod'
import { timestamp } from '../core/record.ts'

/** How the session stands that is kept for an account: `expiring` asks a person to renew it in time. */
export const SESSION_STATES = ['none', 'valid', 'expiring', 'expired'] as const

/** The kept session of an account in its profile. */
export const accountSessionSchema = z.object({
  state: z.enum(SESSION_STATES),
  savedAt: timestamp.nullable(),
  /** When the first of what keeps it signed in ends, where the site said so. */
  expiresAt: timestamp.nullable(),
})
