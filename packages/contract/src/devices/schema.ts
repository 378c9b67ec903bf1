import { z } from 'zod'
import { id } from '../core/record.ts'

/** A preset of screen and input for a profile; the built-in ones are Playwright's descriptors. */
export const deviceSchema = z.object({
  id,
  name: z.string(),
  kind: z.enum(['desktop', 'tablet', 'phone']),
  viewport: z.object({ width: z.number().int(), height: z.number().int() }),
  scale: z.number(),
  touch: z.boolean(),
  mobile: z.boolean(),
  userAgent: z.string().nullable(),
  builtIn: z.boolean(),
})
export type Device = z.infer<typeof deviceSchema>
