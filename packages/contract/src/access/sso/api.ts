import { z } from 'zod'
import { defineApi } from '../../core/endpoint.ts'
import { id, idInput, version } from '../../core/record.ts'
import { ssoButtonSchema, ssoProviderSchema } from './schema.ts'

/** Where browsers begin and end a sign-in with a provider: `…/{key}/start?nextUrl=&remember=1`, `…/{key}/callback`. */
export const SSO_PREFIX = '/api-user/api/v1/auth/sso'

const prefix = '/api-internal/api/v1/system/sso'
const manage = { action: 'MANAGE', subject: 'SYSTEM' } as const
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Over the network only with TLS; a provider on this machine, as for trying it out, may do without. */
const issuer = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .refine(
    (text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      return url?.protocol === 'https:' || (url !== undefined && LOOPBACK.test(url.hostname))
    },
    { error: 'format' },
  )
const fields = {
  name: z.string().trim().min(1).max(80),
  issuer,
  appKey: z.string().trim().min(1).max(300),
  /** Left out: as it is. Null: none, a public client. */
  appSecret: z.string().max(2_000).nullable().optional(),
  scopes: z
    .string()
    .trim()
    .max(300)
    .regex(/^openid(?: [\x21-\x7e]+)*$/),
  signUp: z.boolean(),
  roleKey: z.string().min(1).max(80),
  enabled: z.boolean(),
}

/** Providers for single sign-on. */
export const sso = defineApi('sso', {
  buttons: {
    method: 'GET',
    path: `${SSO_PREFIX}/providers`,
    access: 'public',
    summary: 'The providers that a visitor may sign in with',
    list: ssoButtonSchema,
    duringMaintenance: true,
  },
  list: {
    method: 'GET',
    path: `${prefix}/list`,
    access: manage,
    summary: 'All providers',
    list: ssoProviderSchema,
  },
  get: {
    method: 'GET',
    path: `${prefix}/get/{id}`,
    access: manage,
    summary: 'One provider',
    input: idInput,
    data: ssoProviderSchema,
  },
  create: {
    method: 'POST',
    path: `${prefix}/create`,
    access: manage,
    summary: 'Add a provider',
    input: z.strictObject({
      ...fields,
      key: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
      scopes: fields.scopes.default('openid email profile'),
      signUp: fields.signUp.default(false),
      roleKey: fields.roleKey.default('viewer'),
      enabled: fields.enabled.default(true),
    }),
    data: ssoProviderSchema,
    audit: 'sso.create',
    idempotent: false,
  },
  update: {
    method: 'POST',
    path: `${prefix}/update/{id}`,
    access: manage,
    summary: 'Change a provider',
    input: z.strictObject({ id, version, ...z.object(fields).partial().shape }),
    data: ssoProviderSchema,
    audit: 'sso.update',
    idempotent: false,
  },
  remove: {
    method: 'POST',
    path: `${prefix}/delete/{id}`,
    access: manage,
    summary: 'Remove a provider; people keep their accounts and sign in in another way',
    input: idInput,
    audit: 'sso.delete',
  },
})
