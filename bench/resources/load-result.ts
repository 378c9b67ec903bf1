import { z } from 'zod'

/** What a crowd says at its end. */
export const loadResult = z.object({
  perSecond: z.number(),
  p50: z.number(),
  p99: z.number(),
  failures: z.number(),
})
export type LoadResult = z.infer<typeof loadResult>
