import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryFlag, queryList } from '../core/list.ts'
import { RESOURCES_PREFIX } from '../core/resource.ts'
import { TRASH_KINDS, thrownSchema, trashKindSchema } from './schema.ts'

const at = `${RESOURCES_PREFIX}/trash`

/** The trash of all kinds at once; taking back and deleting for good are calls of each kind. */
export const trash = defineApi('trash', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: 'signedIn',
    byApiToken: true,
    summary:
      'What lies in the trash and the caller may take back, of all kinds, what was thrown away last first',
    input: listQuery({
      sortable: ['deletedAt'],
      filters: {
        kind: queryList(z.enum(TRASH_KINDS)).optional(),
        /** Only records of one’s own. */
        own: queryFlag.optional(),
      },
    }),
    list: thrownSchema,
  },
  kinds: {
    method: 'GET',
    path: `${at}/kinds`,
    access: 'signedIn',
    byApiToken: true,
    summary: 'How much of each kind lies in the trash, of what the caller may take back',
    data: z.array(trashKindSchema),
  },
})
