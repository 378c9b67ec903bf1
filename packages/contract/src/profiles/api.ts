import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { queryList } from '../core/list.ts'
import { id, idInput } from '../core/record.ts'
import { RESOURCES_PREFIX, resourceApi } from '../core/resource.ts'
import { BROWSER_TYPES, PROFILE_STATUSES, profileCreate, profileSchema, profileUpdate } from './schema.ts'
import { snapshotSchema } from './snapshots.ts'

const common = resourceApi({
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

const at = `${RESOURCES_PREFIX}/profile`

const own = defineApi('profiles', {
  snapshots: {
    method: 'GET',
    path: `${at}/snapshots/{id}`,
    access: { action: 'VIEW', subject: 'PROFILE' },
    summary:
      'What is kept of its sessions: of each account the one in use, the one before, and one that was pinned',
    input: idInput,
    data: z.array(snapshotSchema),
  },
  useSnapshot: {
    method: 'POST',
    path: `${at}/use-snapshot/{id}`,
    access: { action: 'UPDATE', subject: 'PROFILE' },
    summary: 'Have the next run begin with an earlier session; the one in use becomes the one before',
    input: z.strictObject({ id, snapshot: id }),
    data: z.array(snapshotSchema),
    audit: 'profile.use_snapshot',
  },
  pinSnapshot: {
    method: 'POST',
    path: `${at}/pin-snapshot/{id}`,
    access: { action: 'UPDATE', subject: 'PROFILE' },
    summary: 'Keep a session until it is let go; one at most of each account',
    input: z.strictObject({ id, snapshot: id, pinned: z.boolean() }),
    data: z.array(snapshotSchema),
    audit: 'profile.pin_snapshot',
  },
})

export const profiles = { ...common, ...own }
