import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, idInput } from '../core/record.ts'
import { queryList } from '../core/list.ts'
import { RESOURCES_PREFIX, resourceApi } from '../core/resource.ts'
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, accountCreate, accountSchema, accountUpdate } from './schema.ts'
import { accountSessionSchema } from './session.ts'
import { timelineInput, timelineSchema } from './timeline.ts'

const common = resourceApi({
  feature: 'accounts',
  path: 'account',
  subject: 'ACCOUNT',
  noun: 'account',
  record: accountSchema,
  create: accountCreate,
  update: accountUpdate,
  sortable: ['username', 'type', 'status', 'channelName', 'lastUsedAt', 'createdAt', 'updatedAt'],
  filters: {
    accountType: queryList(z.enum(ACCOUNT_TYPES)).optional(),
    accountStatus: queryList(z.enum(ACCOUNT_STATUSES)).optional(),
    tag: z.string().max(40).optional(),
  },
})

const own = defineApi('accounts', {
  timeline: {
    method: 'GET',
    path: `${RESOURCES_PREFIX}/account/timeline/{id}`,
    access: { action: 'VIEW', subject: 'ACCOUNT' },
    summary:
      'What happened to an account, the latest first: runs, changes, what runs made of its status, limits reached',
    input: timelineInput,
    data: timelineSchema,
  },
  session: {
    method: 'GET',
    path: `${RESOURCES_PREFIX}/account/session/{id}`,
    access: { action: 'VIEW', subject: 'ACCOUNT' },
    summary: 'How the session stands that is kept for an account in its profile',
    input: idInput,
    data: accountSessionSchema,
  },
  reveal: {
    method: 'POST',
    path: `${RESOURCES_PREFIX}/account/reveal/{id}`,
    access: { action: 'REVEAL', subject: 'ACCOUNT' },
    summary: 'Show one secret of an account; asks for the own password again and is audited',
    input: z.strictObject({
      id,
      secret: z.enum(['password', 'totpSeed', 'recoveryCodes']),
      ownPassword: z.string().min(1).max(256),
    }),
    data: z.object({ value: z.union([z.string(), z.array(z.string())]) }),
    audit: 'account.reveal',
    idempotent: false,
  },
})

export const accounts = { ...common, ...own }
