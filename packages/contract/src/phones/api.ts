import { z } from 'zod'
import { queryList } from '../core/list.ts'
import { resourceApi } from '../core/resource.ts'
import { PHONE_KINDS, PHONE_STATUSES, phoneCreate, phoneSchema, phoneUpdate } from './schema.ts'

export const phones = resourceApi({
  feature: 'phones',
  path: 'phone',
  subject: 'PHONE',
  noun: 'phone',
  record: phoneSchema,
  create: phoneCreate,
  update: phoneUpdate,
  sortable: [
    'phoneNumber',
    'countryCode',
    'label',
    'status',
    'verifiedAt',
    'lastUsedAt',
    'createdAt',
    'updatedAt',
  ],
  filters: {
    status: queryList(z.enum(PHONE_STATUSES)).optional(),
    kind: queryList(z.enum(PHONE_KINDS)).optional(),
    countryCode: queryList(z.string().max(5)).optional(),
    tag: z.string().max(40).optional(),
  },
})
