import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'

const columnName = z.string().min(1).max(60)

/** How the columns of a list stand: what is not said of a column is as the list has it. */
export const arrangementSchema = z.strictObject({
  /** Columns in their order; one that is not named stands after the one it usually follows. */
  order: z.array(columnName).max(100),
  /** Columns that were turned on or off. */
  shown: z.record(columnName, z.boolean()),
  /** Widths in pixels. */
  widths: z.record(columnName, z.int().min(48).max(1200)),
  /** Columns that stay at the start while the others scroll. */
  pinned: z.array(columnName).max(20),
})
export type Arrangement = z.infer<typeof arrangementSchema>

/** The name of a list: that of its call, with the page's own addition where one call is listed twice. */
export const listName = z.string().min(1).max(100)

/** What a view brings back. */
export const viewStateSchema = z.strictObject({
  q: z.string().max(200),
  filters: z
    .record(z.string().min(1).max(60), z.string().max(4000))
    .refine((filters) => Object.keys(filters).length <= 50, { error: 'too_long' }),
  sortBy: z.string().max(60).nullable(),
  sortDesc: z.boolean(),
  perPage: z.int().min(-1).max(1000),
  columns: arrangementSchema.nullable(),
})
export type ViewState = z.infer<typeof viewStateSchema>

export const viewName = z.string().trim().min(1).max(60)

/** A saved view of a list. `can` names what the caller may do with it: update, share, delete. */
export const viewSchema = z.object({
  id,
  list: listName,
  name: viewName,
  /** Everybody who may see the list finds it. */
  shared: z.boolean(),
  own: z.boolean(),
  /** Who made it, where it is another's. */
  ownerName: z.string(),
  state: viewStateSchema,
  /** Roles whose people the list opens with this view, unless they chose another. */
  roles: z.array(z.object({ id, name: z.string() })),
  updatedAt: timestamp,
  can: z.array(z.string()),
})
export type View = z.infer<typeof viewSchema>

/** The views of one list that the caller has, and the one that it opens with. */
export const viewsOfListSchema = z.object({
  views: z.array(viewSchema),
  defaultId: id.nullable(),
  /** The default is the caller's own choice, which may be none, and not a role's. */
  ownDefault: z.boolean(),
})
export type ViewsOfList = z.infer<typeof viewsOfListSchema>

/** How many views somebody may have, those of all lists together. */
export const MAX_VIEWS = 200
