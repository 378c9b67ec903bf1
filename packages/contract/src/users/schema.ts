import { z } from 'zod'
import { baseRecord, id, timestamp } from '../core/record.ts'

export const USER_STATUSES = ['active', 'suspended'] as const
export const LOCALES = ['en', 'fr', 'ar'] as const

/** A time zone that the runtime knows by this name. */
export const timeZone = z
  .string()
  .min(1)
  .max(64)
  .refine(
    (name) => {
      try {
        return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
      } catch {
        return false
      }
    },
    { error: 'format' },
  )

/** The keys of roles, each once. */
export const roleKeys = z
  .array(z.string().trim().min(1).max(64))
  .max(50)
  .transform((keys) => [...new Set(keys)].sort())

export const displayName = z.string().trim().min(1).max(120)

/** A person as those see them who look after people. */
export const personSchema = z.object({
  ...baseRecord,
  username: z.string(),
  email: z.string().nullable(),
  displayName: z.string(),
  roles: z.array(z.string()),
  locale: z.enum(LOCALES),
  timeZone: z.string().nullable(),
  status: z.enum(USER_STATUSES),
  /** Whether there is a password; somebody invited has none until they follow their link. */
  hasPassword: z.boolean(),
  lastSeenAt: timestamp.nullable(),
})
export type Person = z.infer<typeof personSchema>

/** What a person keeps about themselves. */
export const profileSchema = z.object({
  id,
  version: z.number().int(),
  username: z.string(),
  email: z.string().nullable(),
  displayName: z.string(),
  locale: z.enum(LOCALES),
  timeZone: z.string().nullable(),
  hasPassword: z.boolean(),
})
export type OwnProfile = z.infer<typeof profileSchema>
