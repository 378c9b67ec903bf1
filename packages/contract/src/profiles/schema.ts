import { z } from 'zod'
import { baseRecord, id, notes, tags, timestamp } from '../core/record.ts'
import { leaseSchema } from '../core/lease.ts'
import { timeZone } from '../users/schema.ts'

export const BROWSER_TYPES = ['chromium', 'chrome', 'edge', 'firefox', 'webkit'] as const
export const PROFILE_STATUSES = ['empty', 'ready', 'leased', 'saving', 'damaged'] as const

const plain = {
  name: z.string().trim().min(1).max(120),
  browserType: z.enum(BROWSER_TYPES),
  deviceId: id.nullable(),
  locale: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
    .nullable(),
  timeZone: timeZone.nullable(),
  proxyId: id.nullable(),
  startUrls: z.array(z.url({ protocol: /^https?$/ }).max(2000)).max(20),
  tags,
  notes,
}

export const profileSchema = z.object({
  ...baseRecord,
  ...plain,
  // What is kept is shown, also a zone that this machine does not know any more.
  timeZone: z.string().nullable(),
  deviceName: z.string().nullable(),
  status: z.enum(PROFILE_STATUSES),
  snapshot: z.object({ size: z.number().int(), at: timestamp }).nullable(),
  homeClientId: id.nullable(),
  lease: leaseSchema.nullable(),
})
export type Profile = z.infer<typeof profileSchema>

export const profileCreate = {
  ...plain,
  browserType: plain.browserType.default('chromium'),
  deviceId: plain.deviceId.default(null),
  locale: plain.locale.default(null),
  timeZone: plain.timeZone.default(null),
  proxyId: plain.proxyId.default(null),
  startUrls: plain.startUrls.default([]),
  tags: tags.default([]),
  notes: notes.default(''),
}
export const profileUpdate = z.object(plain).partial().shape
