import { z } from 'zod'
import { id, timestamp } from './record.ts'

/** Who holds a resource now, since when and until when. */
export const leaseSchema = z.object({
  runId: id,
  campaignId: id.nullable(),
  campaignTitle: z.string().nullable(),
  since: timestamp,
  until: timestamp,
})
export type LeaseView = z.infer<typeof leaseSchema>
