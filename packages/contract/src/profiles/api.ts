import { z } from 'zod'
import { queryList } from '../core/list.ts'
import { resourceApi } from '../core/resource.ts'
import { BROWSER_TYPES, PROFILE_STATUSES, profileCreate, profileSchema, profileUpdate } from './schema.ts'

export const profiles = resourceApi({
  feature: 'profiles',
  path: 'profile',
  subject: 'PROFILE',
  noun: 'profile',
  record: profileSchema,
  create: profileCreate,
  update: profileUpdate,
  sortable: ['name', 'browserType', 'status', 'createdAt', 'updatedAt'],
  filters: {
    deviceType: queryList(z.enum(['desktop', 'tablet', 'phone'])).optional(),
    browserType: queryList(z.enum(BROWSER_TYPES)).optional(),
    status: queryList(z.enum(PROFILE_STATUSES)).optional(),
    tag: z.string().max(40).optional(),
  },
})
