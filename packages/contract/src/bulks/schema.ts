import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'
import { IMPORT_KINDS } from '../imports/schema.ts'

/** What can be done to many records at once; `purge` deletes for good what is in the trash, and cannot be taken back. */
export const BULK_ACTIONS = ['delete', 'restore', 'purge', 'update', 'addTags', 'removeTags'] as const

export const bulkStates = ['running', 'finished', 'failed', 'cancelled', 'undone'] as const

/** A record that was left as it is, and the code of why. */
export const refusedSchema = z.object({ id, name: z.string(), code: z.string() })

/**
 * One thing done to many records: how far it is, and what came of it. A small one is finished when the call is answered;
 * a large one goes on in the background (`running`), and whoever asked for it finds it again by its id.
 */
export const bulkSchema = z.object({
  id,
  /** The kind of records. */
  kind: z.enum(IMPORT_KINDS),
  action: z.enum([...BULK_ACTIONS, 'undo']),
  /** The names of the fields that `update` sets. */
  fields: z.array(z.string()),
  tags: z.array(z.string()),
  state: z.enum(bulkStates),
  /** How many records matched when it began. */
  total: z.number().int(),
  processed: z.number().int(),
  /** Records that are now as was asked for. */
  done: z.number().int(),
  /** Of `done`: those that were so already, and have no new line in their history. */
  unchanged: z.number().int(),
  refusedTotal: z.number().int(),
  /** The first hundred of those that were refused; `bulks.refused` lists all. */
  refused: z.array(refusedSchema),
  /** The bulk that this one takes back. */
  undoes: id.nullable(),
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
  /** `undo` once it has changed something, for seven days; `cancel` while it runs. */
  can: z.array(z.string()),
})
export type Bulk = z.infer<typeof bulkSchema>

/** What a bulk would do, without doing it. */
export const bulkPreviewSchema = z.object({
  matched: z.number().int(),
  /** Records that would be as asked for. */
  changed: z.number().int(),
  refused: z.number().int(),
  /** Why records would be refused, the most frequent reason first, with a few of the records. */
  reasons: z.array(
    z.object({
      code: z.string(),
      count: z.number().int(),
      examples: z.array(z.object({ id, name: z.string() })),
    }),
  ),
})
export type BulkPreview = z.infer<typeof bulkPreviewSchema>
