import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'

/** One change: who, when, from where, what; secrets are masked in `before` and `after`. */
export const auditSchema = z.object({
  id,
  at: timestamp,
  actorId: id.nullable(),
  actorName: z.string(),
  address: z.string(),
  label: z.string(),
  feature: z.string(),
  recordId: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditRow = z.infer<typeof auditSchema>
