import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id } from '../core/record.ts'
import { botToken } from './bot-check/schema.ts'
import { email, password, sessionSchema, signedInSchema, userInfoSchema, username } from './schema.ts'

export { mail } from './mail/api.ts'
export { recovery } from './recovery/api.ts'

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
    summary: 'Sign in with username or e-mail and password',
    input: z.strictObject({
      username: z.string().trim().min(1).max(254),
      password: z.string().min(1).max(256),
      remember: z.boolean().default(false),
      botToken,
    }),
    data: signedInSchema,
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
  info: {
    method: 'GET',
    path: `${prefix}/user/get-info`,
    access: 'signedIn',
    summary: 'Who is signed in, and what they may do',
    data: userInfoSchema,
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
})
