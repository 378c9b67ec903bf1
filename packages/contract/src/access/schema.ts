import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'
import { ruleSchema } from '../core/permissions.ts'

export const username = z
  .string()
  .trim()
  .min(2)
  .max(64)
  .regex(/^[\p{L}\p{N}._@+-]+$/u)
export const email = z.email().max(254)
export const password = z.string().min(8).max(256)

/** A new password, typed twice, with `sameTwice` to compare the two. */
export const newPasswordTwice = { newPassword: password, confirmPassword: z.string().max(256) }

/** Refuses a new password that was typed in two ways. */
export function sameTwice<T extends z.ZodType<{ newPassword: string; confirmPassword: string }>>(form: T): T {
  return form.refine((given) => given.newPassword === given.confirmPassword, {
    path: ['confirmPassword'],
    error: 'not_same',
  })
}

export const userSchema = z.object({
  id,
  username: z.string(),
  email: z.string().nullable(),
  displayName: z.string(),
  roles: z.array(z.string()),
  locale: z.enum(['en', 'fr', 'ar']),
  timeZone: z.string().nullable(),
  /** Names the person's picture, where there is one. */
  avatar: z.string().nullable(),
  status: z.enum(['active', 'suspended']),
  createdAt: timestamp,
})
export type User = z.infer<typeof userSchema>

/** A signed-in user with what they may do; VIEW on AUTH is among the abilities. */
export const userInfoSchema = z.object({
  user: userSchema,
  abilities: z.array(ruleSchema),
  /** Set where somebody else looks on as this person: who, why, until when. */
  viewing: z.object({ by: z.string(), reason: z.string(), until: timestamp }).optional(),
})
export type UserInfo = z.infer<typeof userInfoSchema>

/** A fresh access token. It lives 15 minutes; the refresh cookie brings the next one. */
export const signedInSchema = userInfoSchema.extend({ token: z.string(), expiresAt: timestamp })
export type SignedIn = z.infer<typeof signedInSchema>

export const sessionSchema = z.object({
  id,
  userAgent: z.string(),
  address: z.string(),
  createdAt: timestamp,
  lastUsedAt: timestamp,
  expiresAt: timestamp,
  remembered: z.boolean(),
  current: z.boolean(),
})
export type Session = z.infer<typeof sessionSchema>

/** What signing in gave to who has no second step, as programs and tests are; it throws where one is asked for. */
export function wholeSignIn(answer: SignedIn | object): SignedIn {
  return signedInSchema.parse(answer)
}
