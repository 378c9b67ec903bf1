import { z } from 'zod'

/** What can be limited in number, for a person together with all their sub-users. */
export const QUOTA_KINDS = [
  'clients',
  'accounts',
  'profiles',
  'phones',
  'proxies',
  'videos',
  'users',
] as const
export type QuotaKind = (typeof QUOTA_KINDS)[number]

const limit = z.int().min(0).max(10_000_000)

/** Highest numbers by kind; a kind that is not there has no limit of its own. */
export const quotaSchema = z.strictObject({
  clients: limit.optional(),
  accounts: limit.optional(),
  profiles: limit.optional(),
  phones: limit.optional(),
  proxies: limit.optional(),
  videos: limit.optional(),
  users: limit.optional(),
} satisfies Record<QuotaKind, z.ZodType>)
export type Quota = z.infer<typeof quotaSchema>

/** How much of a limit is used; `limit` is the narrowest that applies, null for none. */
export const quotaUseSchema = z.object({
  kind: z.enum(QUOTA_KINDS),
  used: z.number().int(),
  limit: z.number().int().nullable(),
})
