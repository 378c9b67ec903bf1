import { z } from 'zod'
import type { Access } from '../core/endpoint.ts'
import { queryInt } from '../core/list.ts'
import { id, idInput } from '../core/record.ts'
import { attendedRunSchema, inputBatchSchema } from './schema.ts'

/** The calls by which an open browser is worked, wherever it was opened from. */
export const liveCalls = (at: string, access: Access) =>
  ({
    get: {
      method: 'GET',
      path: `${at}/get/{id}`,
      access,
      summary: 'One attended run, and how far it is',
      input: idInput,
      data: attendedRunSchema,
    },
    frame: {
      method: 'GET',
      path: `${at}/frame/{id}`,
      access,
      summary:
        'The newest picture after a number, as soon as there is one; 204 where there was none for a while',
      input: z.strictObject({ id, after: queryInt(z.int().min(0)).default(0) }),
      stream: ['application/octet-stream'],
      ownPace: true,
    },
    input: {
      method: 'POST',
      path: `${at}/input/{id}`,
      access,
      summary: 'What the person does: mouse, keys, text; by the one who has the browser in hand',
      input: z.strictObject({ id, events: inputBatchSchema }),
      data: z.object({ taken: z.boolean() }),
      idempotent: false,
      ownPace: true,
    },
    prolong: {
      method: 'POST',
      path: `${at}/prolong/{id}`,
      access,
      summary: 'Have more time',
      input: idInput,
      data: attendedRunSchema,
      idempotent: false,
      audit: 'browser.prolong',
    },
    finish: {
      method: 'POST',
      path: `${at}/finish/{id}`,
      access,
      summary: 'Close the browser: keep what was done (a sign-in is saved and verified), or discard it',
      input: z.strictObject({ id, save: z.boolean() }),
      data: attendedRunSchema,
      idempotent: false,
      audit: 'browser.finish',
    },
  }) as const
