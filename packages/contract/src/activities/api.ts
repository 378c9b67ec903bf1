import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryFlag } from '../core/list.ts'
import { version } from '../core/record.ts'
import { ACTIVITY_CATEGORIES, activityFiguresSchema, activityId, activitySchema } from './schema.ts'

const at = '/api-elsa/api/v1/elsa/activity'

export const activities = defineApi('activities', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'ACTIVITY' },
    summary: 'The catalogue of activities',
    input: listQuery({
      sortable: ['type', 'category'],
      filters: {
        category: z.enum(ACTIVITY_CATEGORIES).optional(),
        enabled: queryFlag.optional(),
        builtIn: queryFlag.optional(),
      },
    }),
    list: activitySchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: { action: 'VIEW', subject: 'ACTIVITY' },
    summary: 'One activity of the catalogue',
    input: z.strictObject({ id: activityId }),
    data: activitySchema,
  },
  figures: {
    method: 'GET',
    path: `${at}/figures`,
    access: { action: 'VIEW', subject: 'ACTIVITY' },
    summary: 'How much each activity is used, and how often it failed in the last thirty days',
    input: z.strictObject({}),
    data: z.array(activityFiguresSchema),
  },
  update: {
    method: 'POST',
    path: `${at}/update`,
    access: { action: 'UPDATE', subject: 'ACTIVITY' },
    summary: 'Switch an activity on or off for the installation',
    input: z.strictObject({ id: activityId, version, enabled: z.boolean() }),
    data: activitySchema,
    audit: 'activity.update',
  },
})
