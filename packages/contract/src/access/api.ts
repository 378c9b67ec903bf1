import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, idInput, timestamp } from '../core/record.ts'
import { botToken } from './bot-check/schema.ts'
import { email, password, sessionSchema, signedInSchema, userInfoSchema, username } from './schema.ts'
import { nextStepSchema } from './two-steps/schema.ts'

export { avatars } from './avatar/api.ts'
export { botCheck } from './bot-check/api.ts'
export { mail } from './mail/api.ts'
export { passkeys } from './passkeys/api.ts'
export { recovery } from './recovery/api.ts'
export { sso } from './sso/api.ts'
export { tokens } from './tokens/api.ts'
export { twoSteps } from './two-steps/api.ts'

const prefix = '/api-user/api/v1'

export const access = defineApi('access', {
  setUp: {
    method: 'POST',
    path: `${prefix}/auth/set-up`,
    access: 'public',
    summary: 'Make the first administrator with the one-time link and sign in',
    input: z.strictObject({
      token: z.string().min(1).max(200),
      username,
      displayName: z.string().trim().min(1).max(120).optional(),
      email: email.optional(),
      password,
    }),
    data: signedInSchema,
    audit: 'user.set_up',
    idempotent: false,
  },
  login: {
    method: 'POST',
    path: `${prefix}/auth/login`,
    access: 'public',
    summary: 'Sign in with username or e-mail and password; who has a second step is asked for it next',
    input: z.strictObject({
      username: z.string().trim().min(1).max(254),
      password: z.string().min(1).max(256),
      remember: z.boolean().default(false),
      botToken,
    }),
    data: z.union([signedInSchema, nextStepSchema]),
    botAction: 'login',
    idempotent: false,
    duringMaintenance: true,
  },
  refresh: {
    method: 'POST',
    path: `${prefix}/auth/refresh`,
    access: 'refreshCookie',
    summary: 'Trade the refresh cookie for a new access token',
    data: signedInSchema,
    idempotent: false,
    duringMaintenance: true,
  },
  logout: {
    method: 'POST',
    path: `${prefix}/auth/logout`,
    access: 'refreshCookie',
    summary: 'End this session',
    idempotent: false,
    duringMaintenance: true,
  },
  prove: {
    method: 'POST',
    path: `${prefix}/auth/prove`,
    access: 'signedIn',
    summary: 'Show once more who is here, by password or authenticator, before something that matters',
    input: z
      .strictObject({
        password: z.string().min(1).max(256).optional(),
        code: z.string().trim().min(6).max(12).optional(),
      })
      .refine((given) => (given.password === undefined) !== (given.code === undefined), {
        path: ['password'],
        error: 'required',
      }),
    data: z.object({ until: timestamp }),
    audit: 'auth.prove',
    idempotent: false,
  },
  info: {
    method: 'GET',
    path: `${prefix}/user/get-info`,
    access: 'signedIn',
    summary: 'Who is signed in, and what they may do',
    data: userInfoSchema,
    byApiToken: true,
    duringMaintenance: true,
  },
  sessions: {
    method: 'GET',
    path: `${prefix}/session/list`,
    access: 'signedIn',
    summary: 'My sessions',
    list: sessionSchema,
  },
  endSession: {
    method: 'POST',
    path: `${prefix}/session/end`,
    access: 'signedIn',
    summary: 'End some of my sessions, or all but this one',
    input: z.strictObject({ ids: z.array(id).max(100).default([]), others: z.literal(true).optional() }),
    data: z.object({ ended: z.number().int() }),
    audit: 'session.end',
  },
  sessionsOf: {
    method: 'GET',
    path: `${prefix}/user/sessions/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary: 'Somebody’s sessions',
    input: idInput,
    list: sessionSchema,
  },
  endSessionsOf: {
    method: 'POST',
    path: `${prefix}/user/end-sessions/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary: 'End all sessions of somebody',
    input: idInput,
    data: z.object({ ended: z.number().int() }),
    audit: 'session.end_of_user',
  },
})
