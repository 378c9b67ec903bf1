import { defineApi } from '../core/endpoint.ts'
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
})
