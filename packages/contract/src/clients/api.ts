import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, idInput, timestamp } from '../core/record.ts'
import { queryList } from '../core/list.ts'
import { RESOURCES_PREFIX, resourceApi } from '../core/resource.ts'
import {
  ADMIN_STATES,
  CLIENT_SAMPLE_DAYS,
  CONNECTION_STATES,
  clientCreate,
  clientLoadSchema,
  clientSchema,
  clientUpdate,
  diagnosisSchema,
  joinCodeSchema,
  openJoinCodeSchema,
} from './schema.ts'

const at = `${RESOURCES_PREFIX}/client`

const common = resourceApi({
  feature: 'clients',
  path: 'client',
  subject: 'CLIENT',
  noun: 'client',
  record: clientSchema,
  create: clientCreate,
  update: clientUpdate,
  sortable: ['name', 'clientKey', 'os', 'thread', 'lastSeenAt', 'createdAt', 'updatedAt'],
  filters: {
    connection: queryList(z.enum(CONNECTION_STATES)).optional(),
    admin: queryList(z.enum(ADMIN_STATES)).optional(),
    tag: z.string().max(40).optional(),
  },
})

const own = defineApi('clients', {
  joinCode: {
    method: 'POST',
    path: `${at}/join-code`,
    access: { action: 'CREATE', subject: 'CLIENT' },
    summary: 'A code, good once and for 15 minutes, with which a machine joins',
    input: z.strictObject({
      labels: z.array(z.string().max(40)).max(30).default([]),
      maxSlots: z.int().min(1).max(64).default(16),
    }),
    data: joinCodeSchema,
    audit: 'client.join_code',
    idempotent: false,
  },
  joinCodes: {
    method: 'GET',
    path: `${at}/join-codes`,
    access: { action: 'CREATE', subject: 'CLIENT' },
    summary: 'One’s own join codes that are still good, without the codes themselves',
    data: z.array(openJoinCodeSchema),
  },
  revokeJoinCode: {
    method: 'POST',
    path: `${at}/join-code/revoke/{id}`,
    access: { action: 'CREATE', subject: 'CLIENT' },
    summary: 'End a join code of one’s own before its time',
    input: idInput,
    audit: 'client.revoke_join_code',
  },
  load: {
    method: 'GET',
    path: `${at}/load/{id}`,
    access: { action: 'VIEW', subject: 'CLIENT' },
    summary: 'How busy a client was over the last hours: processor, memory and slots',
    input: z.strictObject({
      id,
      hours: z.coerce
        .number()
        .int()
        .min(1)
        .max(CLIENT_SAMPLE_DAYS * 24)
        .default(6),
    }),
    data: clientLoadSchema,
  },
  diagnose: {
    method: 'GET',
    path: `${at}/diagnose/{id}`,
    access: { action: 'VIEW', subject: 'CLIENT' },
    summary: 'What may keep a client from doing its work, each with how it stands',
    input: idInput,
    data: z.array(diagnosisSchema),
  },
  pause: {
    method: 'POST',
    path: `${at}/pause/{id}`,
    access: { action: 'UPDATE', subject: 'CLIENT' },
    summary: 'Give it no new work',
    input: z.strictObject({
      id,
      note: z.string().max(500).optional(),
      until: timestamp.optional(),
    }),
    data: clientSchema,
    audit: 'client.pause',
  },
  drain: {
    method: 'POST',
    path: `${at}/drain/{id}`,
    access: { action: 'UPDATE', subject: 'CLIENT' },
    summary: 'Let it finish what it has, then idle',
    input: idInput,
    data: clientSchema,
    audit: 'client.drain',
  },
  enable: {
    method: 'POST',
    path: `${at}/enable/{id}`,
    access: { action: 'UPDATE', subject: 'CLIENT' },
    summary: 'Give it work again',
    input: idInput,
    data: clientSchema,
    audit: 'client.enable',
  },
  revoke: {
    method: 'POST',
    path: `${at}/revoke/{id}`,
    access: { action: 'DELETE', subject: 'CLIENT' },
    summary: 'End its key: it can never come back as this client, and its leases end at once',
    input: idInput,
    data: clientSchema,
    audit: 'client.revoke',
  },
})

export const clients = { ...common, ...own }
