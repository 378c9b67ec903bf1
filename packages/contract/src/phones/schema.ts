import { z } from 'zod'
import { baseRecord, notes, tags, timestamp } from '../core/record.ts'
import { leaseSchema } from '../core/lease.ts'

export const PHONE_KINDS = ['mobile', 'landline', 'virtual'] as const
export const PHONE_STATUSES = ['new', 'verified', 'in_use', 'blocked', 'retired'] as const
export const PHONE_SETTABLE = ['new', 'verified', 'blocked', 'retired'] as const

const plain = {
  label: z.string().trim().max(120).nullable(),
  owner: z.string().trim().max(200).nullable(),
  kind: z.enum(PHONE_KINDS),
  /** In which device its card is. */
  deviceNote: z.string().trim().max(200).nullable(),
  tags,
  notes,
}
/** A number as people write it; the server makes E.164 of it, or says that it is none. */
const number = {
  /** With the country's code, or as it is dialled within the country that `countryCode` names. */
  phoneNumber: z
    .string()
    .trim()
    .min(3)
    .max(40)
    .regex(/^\+?[\p{Nd}\s().\-/]+$/u),
  /** `+44`, or a country such as `GB`. */
  countryCode: z
    .string()
    .trim()
    .regex(/^(\+?[1-9]\d{0,3}|[A-Za-z]{2})$/)
    .nullable(),
}
export const phoneSchema = z.object({
  ...baseRecord,
  ...plain,
  /** The calling code, such as `+44`. */
  countryCode: z.string(),
  /** E.164. */
  phoneNumber: z.string(),
  /** Two letters, where the number says it. */
  country: z.string().nullable(),
  /** As it is written within its country. */
  national: z.string(),
  status: z.enum(PHONE_STATUSES),
  /** When it became verified; a number that is new again is not. */
  verifiedAt: timestamp.nullable(),
  /** When a run used it last. */
  lastUsedAt: timestamp.nullable(),
  lease: leaseSchema.nullable(),
})
export type Phone = z.infer<typeof phoneSchema>
export const phoneCreate = {
  phoneNumber: number.phoneNumber,
  countryCode: number.countryCode.default(null),
  ...plain,
  label: plain.label.default(null),
  owner: plain.owner.default(null),
  kind: plain.kind.default('mobile'),
  deviceNote: plain.deviceNote.default(null),
  tags: tags.default([]),
  notes: notes.default(''),
  status: z.enum(PHONE_SETTABLE).default('new'),
}
export const phoneUpdate = {
  ...z.object({ ...number, ...plain }).partial().shape,
  status: z.enum(PHONE_SETTABLE).optional(),
}
