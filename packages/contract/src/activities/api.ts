import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryFlag } from '../core/list.ts'
import { id, idInput, version } from '../core/record.ts'
import { wireDocumentSchema } from '../workflows/schema.ts'
import {
  ACTIVITY_CATEGORIES,
  activityFiguresSchema,
  activityId,
  activitySchema,
  activityUserSchema,
  customFields,
} from './schema.ts'

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
    summary: 'One activity of the catalogue; of a custom one the newest version, unless another is named',
    input: z.strictObject({ id: activityId, number: z.coerce.number().int().min(1).optional() }),
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
    summary: 'Switch an activity on or off for the installation; say what a custom one is called',
    input: z.strictObject({
      id: activityId,
      version,
      enabled: z.boolean().optional(),
      ...z.object(customFields).partial().shape,
    }),
    data: activitySchema,
    audit: 'activity.update',
  },
  create: {
    method: 'POST',
    path: `${at}/create`,
    access: { action: 'CREATE', subject: 'ACTIVITY' },
    summary: 'Make a custom activity; its steps are edited and published as those of a workflow',
    input: z.strictObject({
      ...customFields,
      description: customFields.description.default(''),
      icon: customFields.icon.default('IconPuzzle'),
      draft: wireDocumentSchema.optional(),
    }),
    data: activitySchema,
    audit: 'activity.create',
    maxBodyBytes: 2 * 1024 * 1024,
  },
  remove: {
    method: 'POST',
    path: `${at}/delete/{id}`,
    access: { action: 'DELETE', subject: 'ACTIVITY' },
    summary: 'Put a custom activity into the trash; refused while a workflow holds it',
    input: z.strictObject({ id: activityId }),
    audit: 'activity.delete',
  },
  restore: {
    method: 'POST',
    path: `${at}/restore/{id}`,
    access: { action: 'DELETE', subject: 'ACTIVITY' },
    summary: 'Take a custom activity out of the trash',
    input: idInput,
    data: activitySchema,
    audit: 'activity.restore',
  },
  users: {
    method: 'GET',
    path: `${at}/users/{id}`,
    access: { action: 'VIEW', subject: 'ACTIVITY' },
    summary: 'The workflows that hold a custom activity, and what its newest version would change in each',
    input: z.strictObject({ id: activityId }),
    data: z.array(activityUserSchema),
  },
  upgrade: {
    method: 'POST',
    path: `${at}/upgrade`,
    access: { action: 'UPDATE', subject: 'WORKFLOW' },
    summary:
      'Have drafts take the newest version of a custom activity; refused where a removed parameter is in use',
    input: z.strictObject({
      id: activityId,
      /** The newest version, as it was shown. */
      to: z.int().min(1),
      workflows: z.array(z.strictObject({ id, version })).min(1).max(200),
    }),
    data: z.array(activityUserSchema),
    audit: 'activity.upgrade',
  },
})
