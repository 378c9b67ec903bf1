import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { arrangementSchema, listName } from '../views/schema.ts'
import { chosenPreferencesSchema } from './schema.ts'

const path = '/api-user/api/v1/user/preferences'

export const preferences = defineApi('preferences', {
  get: {
    method: 'GET',
    path,
    access: 'signedIn',
    summary: 'What the caller chose about how the console looks',
    data: chosenPreferencesSchema,
  },
  change: {
    method: 'POST',
    path,
    access: 'signedIn',
    summary: 'Change some of one’s preferences; of two changes to the same one the later holds',
    input: chosenPreferencesSchema,
    data: chosenPreferencesSchema,
    idempotent: false,
  },
  arrangements: {
    method: 'GET',
    path: `${path}/lists`,
    access: 'signedIn',
    summary: 'How the caller arranged the columns of each list',
    data: z.record(z.string(), arrangementSchema),
  },
  arrange: {
    method: 'POST',
    path: `${path}/lists`,
    access: 'signedIn',
    summary: 'Arrange the columns of a list; null goes back to how the list comes',
    input: z.strictObject({ list: listName, columns: arrangementSchema.nullable() }),
    data: z.record(z.string(), arrangementSchema),
    idempotent: false,
  },
})
