import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { id, timestamp } from '../core/record.ts'
import { auditSchema } from './schema.ts'

const at = '/api-internal/api/v1/audit'
const view = { action: 'VIEW', subject: 'AUDIT' } as const
const query = listQuery({
  sortable: ['at'],
  filters: {
    /** Who did it. */
    actor: id.optional(),
    feature: queryList(z.string().max(64)).optional(),
    label: queryList(z.string().max(64)).optional(),
    /** The record that it was done to. */
    record: z.string().max(64).optional(),
    address: z.string().trim().max(64).optional(),
    from: timestamp.optional(),
    to: timestamp.optional(),
  },
})

/** The audit log: who changed what, when, from where. */
export const audit = defineApi('audit', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: view,
    summary: 'Changes, the newest first',
    input: query,
    list: auditSchema,
  },
  names: {
    method: 'GET',
    path: `${at}/names`,
    access: view,
    summary: 'The features and kinds of changes that the log holds',
    data: z.object({ features: z.array(z.string()), labels: z.array(z.string()) }),
  },
  export: {
    method: 'GET',
    path: `${at}/export`,
    access: { action: 'EXPORT', subject: 'AUDIT' },
    summary: 'Export the changes that match',
    input: query.extend({ format: z.enum(['csv', 'ndjson']).default('csv') }),
    stream: ['text/csv', 'application/x-ndjson'],
    audit: 'audit.export',
  },
})
