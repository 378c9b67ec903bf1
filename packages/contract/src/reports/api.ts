import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, timestamp } from '../core/record.ts'
import { campaignSchema } from '../campaigns/schema.ts'
import { timeZone } from '../users/schema.ts'

const n = z.number().int()

/** What the dashboard shows of a period; `previous` is the period of the same length before it. */
export const summarySchema = z.object({
  at: timestamp,
  from: timestamp,
  to: timestamp,
  clients: z.object({ total: n, online: n, slots: n, freeSlots: n }),
  campaigns: z.object({ total: n, running: n, needsPerson: n }),
  current: z.object({
    done: n,
    failed: n,
    uncertain: n,
    runs: n,
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
  }),
  previous: z.object({
    done: n,
    failed: n,
    uncertain: n,
    runs: n,
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
  }),
  series: z.array(z.object({ at: timestamp, done: n, failed: n })),
  errors: z.array(z.object({ class: z.string(), count: n })),
  recent: z.array(
    campaignSchema.pick({ id: true, title: true, state: true, tally: true, total: true, updatedAt: true }),
  ),
})
export type Summary = z.infer<typeof summarySchema>

export const reports = defineApi('reports', {
  summary: {
    method: 'POST',
    path: '/api-report/api/v1/report/campaign/summary',
    access: { action: 'VIEW', subject: 'REPORT' },
    summary: 'Figures of campaigns and clients over a period',
    readsOnly: true,
    input: z.strictObject({
      campaignIds: z.array(id).max(200).optional(),
      projectId: id.optional(),
      from: timestamp,
      to: timestamp,
      timeZone: timeZone.default('UTC'),
      groupBy: z.enum(['hour', 'day']).default('hour'),
    }),
    data: summarySchema,
    idempotent: false,
  },
})
