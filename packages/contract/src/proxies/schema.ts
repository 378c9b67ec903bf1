import { z } from 'zod'
import { baseRecord, id, notes, secretState, selection, tags, timestamp } from '../core/record.ts'
import { leaseSchema } from '../core/lease.ts'

export const PROXY_PROTOCOLS = ['http', 'https', 'socks5'] as const
export const PROXY_TYPES = ['datacenter', 'residential', 'mobile', 'own'] as const
export const PROXY_SOURCES = ['manual', 'import', 'provider'] as const
export const PROXY_STATUSES = [
  'unverified',
  'healthy',
  'degraded',
  'failing',
  'quarantined',
  'disabled',
] as const
export type ProxyStatus = (typeof PROXY_STATUSES)[number]
/** Proxies of these are given to no campaign. */
export const PROXY_UNUSABLE = ['failing', 'quarantined', 'disabled'] as const satisfies ProxyStatus[]
/** Where a proxy stands on its way to its end. */
export const PROXY_EXPIRIES = ['soon', 'expired', 'later', 'never'] as const
/** So long before its end a proxy is said to end soon. */
export const PROXY_EXPIRY_WARNING_DAYS = 3
/** How well a proxy's checks of the last day went. */
export const PROXY_SUCCESSES = ['good', 'mixed', 'bad', 'none'] as const
/** From these shares of good checks on it went well, or not badly. */
export const PROXY_SUCCESS_GOOD = 0.95
export const PROXY_SUCCESS_MIXED = 0.5
/** So many failures in a row quarantine a proxy. */
export const PROXY_FAILURES_TO_QUARANTINE = 3

/**
 * Why a check went wrong: the address may not be reached from here, it has no such name, nobody answers there, not in time,
 * it refused the credentials, its certificate is not good, it does not speak the protocol, it could not reach the check
 * address, the answer of the check address told no address. With the last two nothing is held against the proxy: the check
 * address itself does not answer, or is only known on this machine.
 */
export const PROXY_CHECK_ERRORS = [
  'address_refused',
  'unknown_host',
  'unreachable',
  'timeout',
  'credentials',
  'certificate',
  'protocol',
  'target_unreachable',
  'bad_answer',
  'check_address_down',
  'check_address_local',
] as const
export type ProxyCheckError = (typeof PROXY_CHECK_ERRORS)[number]

const way = {
  protocol: z.enum(PROXY_PROTOCOLS),
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]+$/)
    .refine((host) => !host.includes(':') || z.ipv6().safeParse(host).success, { error: 'format' }),
  port: z.int().min(1).max(65_535),
  username: z.string().max(254).nullable(),
}
const plain = {
  ...way,
  type: z.enum(PROXY_TYPES),
  provider: z.string().trim().max(120).nullable(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  city: z.string().trim().max(120).nullable(),
  expiresAt: timestamp.nullable(),
  costPerMonth: z.number().min(0).max(1_000_000).multipleOf(0.01).nullable(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable(),
  capacity: z.int().min(1).max(10_000).nullable(),
  tags,
  notes,
}
const password = z.string().min(1).max(1000).nullable()

export const proxySchema = z.object({
  ...baseRecord,
  ...plain,
  proxySource: z.enum(PROXY_SOURCES),
  password: secretState,
  latencyMs: z.number().int().nullable(),
  /** The share of its checks of the last 24 hours that went well, from 0 to 1; null where there were none. */
  successRatio24h: z.number().nullable(),
  exitIp: z.string().nullable(),
  status: z.enum(PROXY_STATUSES),
  failures: z.number().int(),
  lastError: z.enum(PROXY_CHECK_ERRORS).nullable(),
  checkedAt: timestamp.nullable(),
  /** When it is tried again by itself, after failures. */
  retryAt: timestamp.nullable(),
  /** It stands in line for a check, or is being checked. */
  checking: z.boolean(),
  lease: leaseSchema.nullable(),
})
export type Proxy = z.infer<typeof proxySchema>
export const proxyCreate = {
  ...plain,
  username: plain.username.default(null),
  type: plain.type.default('own'),
  provider: plain.provider.default(null),
  country: plain.country.default(null),
  city: plain.city.default(null),
  expiresAt: plain.expiresAt.default(null),
  costPerMonth: plain.costPerMonth.default(null),
  currency: plain.currency.default(null),
  capacity: plain.capacity.default(null),
  tags: tags.default([]),
  notes: notes.default(''),
  password: password.default(null),
  disabled: z.boolean().default(false),
}
export const proxyUpdate = {
  ...z.object(plain).partial().shape,
  password: password.optional(),
  disabled: z.boolean().optional(),
}

/** Which proxies to check. */
export const proxyCheckInput = z.strictObject({ selection })

/** How far a check of several has come. `done` are those that were checked or fell away meanwhile. */
export const proxyCheckSchema = z.object({
  id,
  total: z.number().int(),
  done: z.number().int(),
  /** Of those checked, how many let us through and how many did not. */
  good: z.number().int(),
  bad: z.number().int(),
  startedAt: timestamp,
  finishedAt: timestamp.nullable(),
})
export type ProxyCheck = z.infer<typeof proxyCheckSchema>

/**
 * A proxy to be tried before it is saved. With the id of one that is stored its password is used, unless another is given,
 * and only where everything else leads to the same place.
 */
export const proxyTestInput = z.strictObject({
  ...way,
  username: way.username.default(null),
  password: password.optional(),
  id: id.optional(),
})
/** What a try of one proxy showed. */
export const proxyTestSchema = z.object({
  ok: z.boolean(),
  error: z.enum(PROXY_CHECK_ERRORS).nullable(),
  latencyMs: z.number().int().nullable(),
  exitIp: z.string().nullable(),
  country: z.string().nullable(),
})
export type ProxyTest = z.infer<typeof proxyTestSchema>

/** How checks are made in this installation, for the page of proxies. */
export const proxyCheckSetupSchema = z.object({
  url: z.string(),
  /** Nobody chose a check address, and this server's own is known on this machine only: it judges no proxies elsewhere. */
  local: z.boolean(),
  /** Minutes between checks by schedule; 0: none are made. */
  everyMinutes: z.number().int(),
})
export type ProxyCheckSetup = z.infer<typeof proxyCheckSetupSchema>
