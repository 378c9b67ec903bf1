import { z } from 'zod'
import { SiteError } from './site-error.ts'

const yesOrNo = z.enum(['0', '1']).transform((value) => value === '1')

/** Faults for one request or one browser: words in the address (`?slow=2000&fail=503`) or in a cookie. */
export const triesSchema = z.strictObject({
  slow: z.coerce.number().int().min(0).max(60_000).optional(),
  fail: z.coerce.number().int().min(400).max(599).optional(),
  drop: yesOrNo.optional(),
  maintenance: yesOrNo.optional(),
  expired: yesOrNo.optional(),
  'refuse-sign-in': yesOrNo.optional(),
  'wrong-number': yesOrNo.optional(),
  'lose-answer': yesOrNo.optional(),
  renamed: yesOrNo.optional(),
})
export type Tries = z.infer<typeof triesSchema>

/** The words themselves. */
export const TRY_WORDS: ReadonlySet<string> = new Set(Object.keys(triesSchema.shape))

function known(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([word]) => TRY_WORDS.has(word)))
}

/** The words in a query; a wrong value is refused, so that a test never believes in a fault that is not there. */
export function readTries(query: Record<string, unknown>): Tries {
  const parsed = triesSchema.safeParse(known(query))
  if (!parsed.success) throw new SiteError(400, 'malformed')
  return parsed.data
}

/** The words in the cookie; a wrong cookie counts as none. */
export function readCookieTries(cookie: string | undefined): Tries {
  if (cookie === undefined) return {}
  return triesSchema.safeParse(Object.fromEntries(new URLSearchParams(cookie))).data ?? {}
}

/** A query without the words, for calls that refuse unknown ones. */
export function withoutTries(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([word]) => !TRY_WORDS.has(word)))
}
