import { z } from 'zod'
import { baseRecord, notes, tags } from '../core/record.ts'
import { leaseSchema } from '../core/lease.ts'

export const PHONE_KINDS = ['mobile', 'landline', 'virtual'] as const
export const PHONE_STATUSES = ['new', 'verified', 'in_use', 'blocked', 'retired'] as const
export const PHONE_SETTABLE = ['new', 'verified', 'blocked', 'retired'] as const

const plain = {
  countryCode: z.string().regex(/^\+[1-9]\d{0,3}$/),
  phoneNumber: z.string().regex(/^\+[1-9]\d{6,14}$/),
  label: z.string().trim().max(120).nullable(),
  owner: z.string().trim().max(200).nullable(),
  kind: z.enum(PHONE_KINDS),
  tags,
  notes,
}
export const phoneSchema = z.object({
  ...baseRecord,
  ...plain,
  status: z.enum(PHONE_STATUSES),
  lease: leaseSchema.nullable(),
})
export type Phone = z.infer<typeof phoneSchema>
export const phoneCreate = {
  ...plain,
  label: plain.label.default(null),
  owner: plain.owner.default(null),
  kind: plain.kind.default('mobile'),
  tags: tags.default([]),
  notes: notes.default(''),
  status: z.enum(PHONE_SETTABLE).default('new'),
}
export const phoneUpdate = { ...z.object(plain).partial().shape, status: z.enum(PHONE_SETTABLE).optional() }
