import { z } from 'zod'
import { defineApi } from '../../core/endpoint.ts'
import { ACTIONS, SUBJECTS } from '../../core/permissions.ts'
import { id, timestamp } from '../../core/record.ts'

const prefix = '/api-user/api/v1/token'

/** What a token may do of what its person may: some actions on one function. */
export const tokenScopeSchema = z.strictObject({
  subject: z.enum(SUBJECTS),
  actions: z.array(z.enum(ACTIONS)).min(1).max(ACTIONS.length),
})
export type TokenScope = z.infer<typeof tokenScopeSchema>

/** An API token, without its secret: that is shown once, when it is made. */
export const apiTokenSchema = z.object({
  id,
  name: z.string(),
  /** How it begins, to be known again. */
  start: z.string(),
  scopes: z.array(tokenScopeSchema),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  expired: z.boolean(),
})
export type ApiToken = z.infer<typeof apiTokenSchema>

/** Tokens for programs that call on somebody's behalf. */
export const tokens = defineApi('tokens', {
  list: {
    method: 'GET',
    path: `${prefix}/list`,
    access: 'signedIn',
    summary: 'My API tokens',
    list: apiTokenSchema,
  },
  scopes: {
    method: 'GET',
    path: `${prefix}/scopes`,
    access: 'signedIn',
    summary: 'What I could let a token do: of everything that calls ask for, what I may myself',
    data: z.array(tokenScopeSchema),
  },
  create: {
    method: 'POST',
    path: `${prefix}/create`,
    access: 'signedIn',
    summary: 'Make an API token; its secret is in this answer and nowhere else',
    input: z.strictObject({
      name: z.string().trim().min(1).max(80),
      scopes: z.array(tokenScopeSchema).min(1).max(SUBJECTS.length),
      days: z.int().min(1).max(365),
    }),
    data: z.object({ token: apiTokenSchema, secret: z.string() }),
    audit: 'token.create',
    idempotent: false,
  },
  remove: {
    method: 'POST',
    path: `${prefix}/delete/{id}`,
    access: 'signedIn',
    summary: 'Revoke an API token; it is good for nothing from this moment on',
    input: z.strictObject({ id }),
    audit: 'token.delete',
  },
})
