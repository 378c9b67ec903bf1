import { z } from 'zod'

/** The kinds of notice; each has the signal flag of its English initial. */
export const CATEGORIES = ['berths', 'events', 'lost-found', 'for-sale', 'work'] as const
export const categorySchema = z.enum(CATEGORIES)
export type Category = z.infer<typeof categorySchema>

/** The pictures that are taken, by their content and never by their name. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export const pictureSchema = z.object({
  file: z.string().regex(/^[\w-]+\.(png|jpg|webp)$/),
  type: z.enum(PICTURE_TYPES),
  bytes: z.number().int().positive(),
})
export type Picture = z.infer<typeof pictureSchema>

/** One notice as it stands in the log, one per line. */
export const noticeSchema = z.object({
  number: z.number().int().positive(),
  account: z.string().nullable(),
  author: z.string(),
  title: z.string(),
  body: z.string(),
  category: categorySchema,
  urgent: z.boolean(),
  showUntil: z.string().nullable(),
  picture: pictureSchema.nullable(),
  via: z.enum(['seed', 'form', 'api']),
  postedAt: z.iso.datetime(),
})
export type Notice = z.infer<typeof noticeSchema>

const MAX_NUMBER = 999_999_999

/** `N-000123`, the number as people read it. */
export function formatNumber(number: number): string {
  return `N-${String(number).padStart(6, '0')}`
}

/** Reads `123` or `N-000123`; null for anything else. */
export function parseNumber(text: string): number | null {
  const digits = /^(?:N-)?(\d{1,9})$/i.exec(text)?.[1]
  const number = Number(digits)
  return digits !== undefined && number >= 1 && number <= MAX_NUMBER ? number : null
}

function isDate(text: string): boolean {
  const parsed = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
}

/** What somebody may write in a new notice; the form and the JSON call share it. The messages are codes. */
export const newNoticeSchema = z.strictObject({
  title: z.string().trim().min(3, 'title_short').max(120, 'title_long'),
  body: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .pipe(z.string().min(1, 'body_missing').max(4000, 'body_long')),
  category: z.enum(CATEGORIES, 'category_unknown'),
  urgent: z.boolean().default(false),
  showUntil: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'date_wrong')
    .refine(isDate, 'date_wrong')
    .nullable()
    .default(null),
})
export type NewNotice = z.infer<typeof newNoticeSchema>
