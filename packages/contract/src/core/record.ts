import { z } from 'zod'

export const id = z.uuid()
/** ISO 8601, UTC. There was no year 0, and the database knows none. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .refine((text) => !text.startsWith('0000'), { error: 'format' })
/** How many tags a record may have. */
export const MAX_TAGS = 30
export const tags = z.array(z.string().trim().min(1).max(40)).max(MAX_TAGS)
export const notes = z.string().max(10_000)

/** What every record carries. `can` names the actions this user may take now; `cannot` says why another may not be. */
export const baseRecord = {
  id,
  ownerId: id.nullable(),
  createdAt: timestamp,
  createdBy: id.nullable(),
  updatedAt: timestamp,
  version: z.number().int(),
  can: z.array(z.string()),
  cannot: z.record(z.string(), z.string()).optional(),
}

/** Tells that a secret is set; its value never leaves the server this way. */
export const secretState = z.object({ set: z.boolean() })

export const idInput = z.strictObject({ id })
/** The version an update was made on; a stale one is answered with 409 and the current record. */
export const version = z.int().min(1)

/** Which records an action is for: some by id, or all that match a list query. */
export const selection = z.union([
  z.strictObject({ ids: z.array(id).min(1).max(10_000) }),
  z.strictObject({ query: z.record(z.string(), z.unknown()) }),
])
export type Selection = z.infer<typeof selection>

/** What uses a record; what `blocks` keeps it from being deleted. */
export const usesSchema = z.array(
  z.object({ feature: z.string(), id, name: z.string(), blocks: z.boolean() }),
)
