import { z } from 'zod'
import { baseRecord, id, notes, secretState, tags, timestamp } from '../core/record.ts'
import { leaseSchema } from '../core/lease.ts'

export const ACCOUNT_TYPES = [
  'facebook',
  'instagram',
  'youtube',
  'tiktok',
  'x',
  'google',
  'website',
  'other',
] as const
export const ACCOUNT_STATUSES = [
  'new',
  'ready',
  'in_use',
  'cooling_down',
  'needs_sign_in',
  'limited',
  'paused',
  'retired',
] as const
/** Statuses a person may set; the others come from what runs do. */
export const ACCOUNT_SETTABLE = ['new', 'ready', 'limited', 'paused', 'retired'] as const
/** Statuses in which an account may be given to an item; one that rests waits for what its limits say. */
export const ACCOUNT_USABLE: readonly (typeof ACCOUNT_STATUSES)[number][] = [
  'new',
  'ready',
  'in_use',
  'cooling_down',
]

/** A host name, or `*.` before one for all hosts below it; a port where it is not the scheme's own. */
export const domainPattern = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/)

/** `HH:MM-HH:MM`; may pass midnight. */
export const quietHours = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/)

const limits = {
  perDay: z.int().min(1).max(100_000).nullable(),
  perHour: z.int().min(1).max(100_000).nullable(),
  /** The least pause from the end of one run to the beginning of the next. */
  cooldownMinutes: z.int().min(1).max(10_080).nullable(),
  quietHours: quietHours.nullable(),
}
export const limitsSchema = z.strictObject({
  perDay: limits.perDay.default(null),
  perHour: limits.perHour.default(null),
  cooldownMinutes: limits.cooldownMinutes.default(null),
  quietHours: limits.quietHours.default(null),
})
export const NO_LIMITS: z.infer<typeof limitsSchema> = {
  perDay: null,
  perHour: null,
  cooldownMinutes: null,
  quietHours: null,
}
export const ownershipSchema = z.strictObject({
  owner: z.string().trim().min(1).max(200),
  attestedAt: timestamp,
})

const plain = {
  type: z.enum(ACCOUNT_TYPES),
  username: z.string().trim().min(1).max(254),
  displayName: z.string().trim().max(200).nullable(),
  email: z.email().max(254).nullable(),
  channelName: z.string().trim().max(200).nullable(),
  profileId: id.nullable(),
  proxyId: id.nullable(),
  phoneId: id.nullable(),
  allowedDomains: z.array(domainPattern).max(50),
  limits: limitsSchema,
  ownership: ownershipSchema.nullable(),
  tags,
  notes,
}
const secrets = {
  password: z.string().min(1).max(1000).nullable(),
  totpSeed: z
    .string()
    .trim()
    .regex(/^[A-Za-z2-7 ]+=*$/)
    .max(200)
    .nullable(),
  recoveryCodes: z.array(z.string().min(1).max(100)).max(50).nullable(),
}

export const accountSchema = z.object({
  ...baseRecord,
  ...plain,
  status: z.enum(ACCOUNT_STATUSES),
  password: secretState,
  totpSeed: secretState,
  recoveryCodes: secretState,
  lastUsedAt: timestamp.nullable(),
  lastError: z.string().nullable(),
  /** When its limits let it begin again, while it is `cooling_down`. */
  coolingUntil: timestamp.nullable(),
  lease: leaseSchema.nullable(),
})
export type Account = z.infer<typeof accountSchema>

export const accountCreate = {
  ...plain,
  displayName: plain.displayName.default(null),
  email: plain.email.default(null),
  channelName: plain.channelName.default(null),
  profileId: plain.profileId.default(null),
  proxyId: plain.proxyId.default(null),
  phoneId: plain.phoneId.default(null),
  allowedDomains: plain.allowedDomains.default([]),
  limits: limitsSchema.default(NO_LIMITS),
  ownership: plain.ownership.default(null),
  tags: tags.default([]),
  notes: notes.default(''),
  status: z.enum(ACCOUNT_SETTABLE).default('new'),
  password: secrets.password.default(null),
  totpSeed: secrets.totpSeed.default(null),
  recoveryCodes: secrets.recoveryCodes.default(null),
}
export const accountUpdate = {
  ...z.object(plain).partial().shape,
  /** Those that are not named stay as they are. */
  limits: z.strictObject(limits).partial().optional(),
  ...z.object(secrets).partial().shape,
  status: z.enum(ACCOUNT_SETTABLE).optional(),
}
