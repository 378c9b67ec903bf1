import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery } from '../core/list.ts'

/** One step type of the catalogue. Its form is generated from `fields`; titles are translation keys. */
export const activitySchema = z.object({
  id: z.string(),
  type: z.string(),
  version: z.number().int(),
  category: z.string(),
  icon: z.string(),
  sideEffect: z.enum(['none', 'read', 'write', 'irreversible']),
  inputSchema: z.record(z.string(), z.unknown()),
  outcomes: z.array(z.string()),
  enabled: z.boolean(),
  builtIn: z.boolean(),
})
export type ActivityRow = z.infer<typeof activitySchema>

const at = '/api-elsa/api/v1/elsa/activity'

export const activities = defineApi('activities', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'ACTIVITY' },
    summary: 'The catalogue of activities',
    input: listQuery({
      sortable: ['type', 'category'],
      filters: { category: z.string().max(40).optional() },
    }),
    list: activitySchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: { action: 'VIEW', subject: 'ACTIVITY' },
    summary: 'One activity of the catalogue',
    input: z.strictObject({ id: z.string().max(64) }),
    data: activitySchema,
  },
})
