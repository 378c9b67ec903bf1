import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { RESOURCES_PREFIX } from '../core/resource.ts'
import { id, idInput } from '../core/record.ts'
import { IMPORT_KINDS, importColumnSchema, importSchema, importStates } from './schema.ts'

const at = `${RESOURCES_PREFIX}/import`

/** The steps after a resource's own `import` call; whoever uploaded the rows, and nobody else, may take them. */
export const imports = defineApi('imports', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'Own imports of the last days, the newest first',
    input: listQuery({
      sortable: ['createdAt'],
      filters: {
        kind: queryList(z.enum(IMPORT_KINDS)).optional(),
        state: queryList(z.enum(importStates)).optional(),
      },
    }),
    list: importSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'How far an import is',
    input: idInput,
    data: importSchema,
  },
  columns: {
    method: 'GET',
    path: `${at}/columns`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'The columns that rows of a kind may have; their order is that of a template',
    input: z.strictObject({ kind: z.enum(IMPORT_KINDS) }),
    data: z.array(importColumnSchema),
  },
  apply: {
    method: 'POST',
    path: `${at}/apply/{id}`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'Create or change records from the checked rows',
    input: z.strictObject({
      id,
      take: z.enum(['all', 'good']),
      duplicates: z.enum(['skip', 'update', 'refuse']).default('skip'),
    }),
    data: importSchema,
    audit: 'import.apply',
  },
  rejected: {
    method: 'GET',
    path: `${at}/rejected/{id}`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'The rows that were not taken, each with its reason',
    input: idInput,
    stream: ['text/csv'],
  },
  undo: {
    method: 'POST',
    path: `${at}/undo/{id}`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'Take back what an import created, and give what it changed its former values',
    input: idInput,
    data: importSchema,
    audit: 'import.undo',
  },
})
