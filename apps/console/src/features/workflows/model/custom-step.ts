import { z } from 'zod'

const PREFIX = 'custom-activity:'
const offered = z.object({ id: z.string(), version: z.number(), name: z.string() })
/** A custom activity as a palette offers it. */
export type OfferedActivity = z.infer<typeof offered>

/** What a palette's entry of a custom activity is dragged and chosen by: it names the activity and its version. */
export function keyOfOffered({ id, version, name }: OfferedActivity): string {
  return PREFIX + JSON.stringify({ id, version, name })
}

/** The custom activity that such a key stands for; null for a type of the catalogue. */
export function readOffered(key: string): OfferedActivity | null {
  if (!key.startsWith(PREFIX)) return null
  const parsed = offered.safeParse(JSON.parse(key.slice(PREFIX.length)))
  return parsed.success ? parsed.data : null
}
