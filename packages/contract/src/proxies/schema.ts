import { z } from 'zod'
import { baseRecord, notes, secretState, tags, timestamp } from '../core/record.ts'
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

const plain = {
  protocol: z.enum(PROXY_PROTOCOLS),
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]+$/),
  port: z.int().min(1).max(65_535),
  username: z.string().max(254).nullable(),
  type: z.enum(PROXY_TYPES),
  provider: z.string().trim().max(120).nullable(),
  expiresAt: timestamp.nullable(),
  capacity: z.int().min(1).max(10_000).nullable(),
  tags,
  notes,
}
export const proxySchema = z.object({
  ...baseRecord,
  ...plain,
  proxySource: z.enum(PROXY_SOURCES),
  password: secretState,
  country: z.string().nullable(),
  city: z.string().nullable(),
  latencyMs: z.number().int().nullable(),
  exitIp: z.string().nullable(),
  status: z.enum(PROXY_STATUSES),
  failures: z.number().int(),
  checkedAt: timestamp.nullable(),
  lease: leaseSchema.nullable(),
})
export type Proxy = z.infer<typeof proxySchema>
export const proxyCreate = {
  ...plain,
  username: plain.username.default(null),
  type: plain.type.default('own'),
  provider: plain.provider.default(null),
  expiresAt: plain.expiresAt.default(null),
  capacity: plain.capacity.default(null),
  tags: tags.default([]),
  notes: notes.default(''),
  password: z.string().min(1).max(1000).nullable().default(null),
  disabled: z.boolean().default(false),
}
export const proxyUpdate = {
  ...z.object(plain).partial().shape,
  password: z.string().min(1).max(1000).nullable().optional(),
  disabled: z.boolean().optional(),
}
