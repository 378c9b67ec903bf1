import { z } from 'zod'
import { ruleSchema } from '../core/permissions.ts'
import { baseRecord, id, timestamp } from '../core/record.ts'
import { quotaSchema, quotaUseSchema } from './quota.ts'

export const USER_STATUSES = ['active', 'suspended'] as const
export const LOCALES = ['en', 'fr', 'ar'] as const

/** A time zone that the runtime knows by this name; an offset is none. */
export const timeZone = z
  .string()
  .min(1)
  .max(64)
  .refine(
    (name) => {
      if (!/^[A-Za-z]/.test(name)) return false
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
  /** What those roles are called, by their keys. */
  roleNames: z.record(z.string(), z.string()),
  locale: z.enum(LOCALES),
  timeZone: z.string().nullable(),
  status: z.enum(USER_STATUSES),
  /** Whose sub-user this is: they may do no more than that person. */
  parentId: id.nullable(),
  parentName: z.string().nullable(),
  createdByName: z.string().nullable(),
  quota: quotaSchema,
  deletedAt: timestamp.nullable(),
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

/** Kinds of records that belong to people. */
export const OWNED_KINDS = [
  'clients',
  'accounts',
  'profiles',
  'phones',
  'proxies',
  'videos',
  'files',
  'projects',
  'workflows',
  'campaigns',
  'runs',
  'imports',
  'users',
  'roles',
  'providers',
] as const
export type OwnedKind = (typeof OWNED_KINDS)[number]

/** How many records of each kind there are; kinds without any are left out. */
export const ownedSchema = z.array(z.object({ kind: z.enum(OWNED_KINDS), count: z.number().int() }))

/** What somebody has, and how much of their limits it takes. */
export const belongingsSchema = z.object({
  owns: ownedSchema,
  /** Whether any of it must have a new owner before the person can be deleted. */
  needsSuccessor: z.boolean(),
  quota: z.array(quotaUseSchema),
})

/** What somebody may do in the end: their roles' rules, cut to what those above them hold. */
export const personAbilitiesSchema = z.object({
  rules: z.array(ruleSchema),
  /** Whether the roles alone would allow more. */
  cut: z.boolean(),
})

/** A role as one chooses it for somebody; `givable` where it allows nothing that the caller may not do. */
export const roleChoiceSchema = z.object({
  key: z.string(),
  name: z.string(),
  builtIn: z.boolean(),
  givable: z.boolean(),
})
export type RoleChoice = z.infer<typeof roleChoiceSchema>
