import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'
import { timeZone } from '../users/schema.ts'

export const DEVICE_KINDS = ['desktop', 'tablet', 'phone'] as const
export const COLOR_SCHEMES = ['light', 'dark'] as const

const plain = {
  name: z.string().trim().min(1).max(120),
  kind: z.enum(DEVICE_KINDS),
  viewport: z.strictObject({ width: z.int().min(200).max(7680), height: z.int().min(200).max(7680) }),
  scale: z.number().min(0.5).max(5),
  touch: z.boolean(),
  mobile: z.boolean(),
  userAgent: z
    .string()
    .trim()
    .max(500)
    .regex(/^[\x20-\x7e]*$/)
    .nullable(),
  locale: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .nullable(),
  timeZone: timeZone.nullable(),
  colorScheme: z.enum(COLOR_SCHEMES).nullable(),
}

/**
 * A preset of screen and input for a profile. The built-in ones are Playwright's descriptors and never change; locale and
 * time zone hold where the profile has none of its own.
 */
export const deviceSchema = z.object({
  id,
  ownerId: id.nullable(),
  ...plain,
  builtIn: z.boolean(),
  version: z.number().int(),
  createdAt: timestamp,
  updatedAt: timestamp,
  can: z.array(z.string()),
  cannot: z.record(z.string(), z.string()).optional(),
})
export type Device = z.infer<typeof deviceSchema>

export const deviceCreate = {
  ...plain,
  kind: plain.kind.default('desktop'),
  scale: plain.scale.default(1),
  touch: plain.touch.default(false),
  mobile: plain.mobile.default(false),
  userAgent: plain.userAgent.default(null),
  locale: plain.locale.default(null),
  timeZone: plain.timeZone.default(null),
  colorScheme: plain.colorScheme.default(null),
}
export const deviceUpdate = z.object(plain).partial().shape
