import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'

/** A kept session of a profile as one run left it. What it holds is for agents alone. */
export const snapshotSchema = z.object({
  id,
  /** Whose session; null for a profile that is used without an account. */
  accountId: id.nullable(),
  /** Null also for an account that the person may not see. */
  accountName: z.string().nullable(),
  size: z.number().int(),
  savedAt: timestamp,
  /** When its sign-in ends by itself, where the site says so. */
  expiresAt: timestamp.nullable(),
  /** The run that left it. */
  runId: id.nullable(),
  /** The next run begins with it. */
  current: z.boolean(),
  pinned: z.boolean(),
})
export type Snapshot = z.infer<typeof snapshotSchema>
