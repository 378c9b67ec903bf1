import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { id, idInput } from '../core/record.ts'
import { RESOURCES_PREFIX } from '../core/resource.ts'
import { liveCalls } from './live-calls.ts'
import { attendedRunSchema, PERSON_REASONS, waitingAccountSchema } from './schema.ts'

const at = `${RESOURCES_PREFIX}/sign-in-desk`
/** Whoever may be shown an account's secrets may hold its browser. */
const access = { action: 'REVEAL', subject: 'ACCOUNT' } as const

/**
 * Attended runs: a browser on a client that is handed to a person, who signs in to an account of their own. Pictures go one
 * way, what the person does the other; neither is kept.
 */
export const attendedRuns = defineApi('desk', {
  ...liveCalls(at, access),
  queue: {
    method: 'GET',
    path: `${at}/list`,
    access,
    summary: 'List accounts that need a person to sign in, the longest waiting first',
    input: listQuery({
      sortable: ['since', 'username', 'type'],
      filters: { reason: queryList(z.enum(PERSON_REASONS)).optional() },
    }),
    list: waitingAccountSchema,
  },
  open: {
    method: 'POST',
    path: `${at}/open`,
    access,
    summary: 'Open the browser of an account or a profile on a client; the one who asks has it in hand',
    input: z.strictObject({
      accountId: id.optional(),
      /** Without an account: what this profile keeps of nobody. */
      profileId: id.optional(),
      /** Without it, one with a free slot is chosen; where the profile was last comes first. */
      clientId: id.optional(),
      /** Without it, the first start address of the profile, the first domain of the account, or the home of its site. */
      url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .optional(),
    }),
    data: attendedRunSchema,
    audit: 'browser.open',
  },
  watch: {
    method: 'POST',
    path: `${at}/watch/{id}`,
    access,
    summary: 'Look on at a browser that somebody else has in hand',
    input: idInput,
    data: attendedRunSchema,
    audit: 'browser.watch',
    idempotent: false,
  },
  takeOver: {
    method: 'POST',
    path: `${at}/take-over/{id}`,
    access,
    summary: 'Take a browser in hand whose person is away',
    input: idInput,
    data: attendedRunSchema,
    audit: 'browser.take_over',
    idempotent: false,
  },
})
