import { z } from 'zod'
import { defineApi } from '../../core/endpoint.ts'
import { id, timestamp } from '../../core/record.ts'
import { passkeyMadeSchema } from '../two-steps/schema.ts'

const prefix = '/api-user/api/v1/passkey'
const name = z.string().trim().min(1).max(80)

/** One of my passkeys. */
export const passkeySchema = z.object({
  id,
  name: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  /** It is kept by several devices of the person, not by one. */
  backedUp: z.boolean(),
})
export type Passkey = z.infer<typeof passkeySchema>

export const passkeys = defineApi('passkeys', {
  list: {
    method: 'GET',
    path: `${prefix}/list`,
    access: 'signedIn',
    summary: 'My passkeys',
    list: passkeySchema,
  },
  options: {
    method: 'POST',
    path: `${prefix}/options`,
    access: 'signedIn',
    summary: 'What the browser needs to make a passkey; good for five minutes, once',
    data: z.object({ options: z.record(z.string(), z.unknown()) }),
    idempotent: false,
  },
  create: {
    method: 'POST',
    path: `${prefix}/create`,
    access: 'signedIn',
    summary: 'Keep a passkey that the browser made',
    input: z.strictObject({ name, passkey: passkeyMadeSchema }),
    /** Recovery codes come with the first second step. */
    data: z.object({ passkey: passkeySchema, recoveryCodes: z.array(z.string()) }),
    audit: 'passkey.create',
    idempotent: false,
  },
  rename: {
    method: 'POST',
    path: `${prefix}/update/{id}`,
    access: 'signedIn',
    summary: 'Give a passkey another name',
    input: z.strictObject({ id, name }),
    data: passkeySchema,
    audit: 'passkey.rename',
  },
  remove: {
    method: 'POST',
    path: `${prefix}/delete/{id}`,
    access: 'signedIn',
    summary: 'Take a passkey away; it signs nobody in any more',
    input: z.strictObject({ id }),
    audit: 'passkey.delete',
  },
})
