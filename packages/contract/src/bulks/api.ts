import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { id, idInput } from '../core/record.ts'
import { RESOURCES_PREFIX } from '../core/resource.ts'
import { IMPORT_KINDS } from '../imports/schema.ts'
import { bulkSchema, bulkStates, refusedSchema } from './schema.ts'

const at = `${RESOURCES_PREFIX}/bulk`

/**
 * What follows a resource's own `bulk` call: how far it is, what was refused, ending it, taking it back. Whoever began it,
 * and nobody else, may ask.
 */
export const bulks = defineApi('bulks', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'Own bulk actions of the last days, the newest first',
    input: listQuery({
      sortable: ['createdAt'],
      filters: {
        kind: queryList(z.enum(IMPORT_KINDS)).optional(),
        state: queryList(z.enum(bulkStates)).optional(),
      },
    }),
    list: bulkSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'How far a bulk action is, and what came of it',
    input: idInput,
    data: bulkSchema,
  },
  refused: {
    method: 'GET',
    path: `${at}/refused/{id}`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'Every record that was refused, and why',
    input: listQuery({ sortable: ['id'], filters: { id } }),
    list: refusedSchema,
  },
  undo: {
    method: 'POST',
    path: `${at}/undo/{id}`,
    access: 'signedIn',
    byApiToken: true,
    summary:
      'Take a bulk action back, but for records that were changed since; answers with the bulk that does it',
    input: idInput,
    data: bulkSchema,
    audit: 'bulk.undo',
  },
  cancel: {
    method: 'POST',
    path: `${at}/cancel/{id}`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'End a bulk action that is under way; what it has done so far stays and can be taken back',
    input: idInput,
    data: bulkSchema,
    audit: 'bulk.cancel',
  },
})
