import { z } from 'zod'

export const PAGE_SIZES = [5, 10, 20, 25, 50, 100] as const
/** `perPage` for "All": answered as a stream. */
export const ALL_ROWS = -1

/** A whole number that may arrive as text, as query strings do. */
export const queryInt = (schema: z.ZodType<number, number>) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value),
    schema,
  )

/** A flag that may arrive as text. */
export const queryFlag = z.preprocess(
  (value) => (value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value),
  z.boolean(),
)

/** Several values: repeated, or in one text parted by commas. */
export const queryList = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (value === undefined || Array.isArray(value)) return value
    return typeof value === 'string' ? value.split(',').filter((part) => part !== '') : value
  }, z.array(schema).max(200))

/**
 * The query of a list. `sortBy` takes only the list's own sortable fields; a page below 1 is taken as 1.
 */
export function listQuery<const S extends readonly [string, ...string[]], F extends z.ZodRawShape>(options: {
  sortable: S
  filters: F
}) {
  return z.strictObject({
    q: z.string().trim().max(200).optional(),
    page: queryInt(z.int().transform((page) => Math.max(1, page))).default(1),
    perPage: queryInt(
      z.int().refine((size) => size === ALL_ROWS || (size >= 1 && size <= 1000), { error: 'perPage' }),
    ).default(10),
    sortBy: z.enum(options.sortable).optional(),
    sortDesc: queryFlag.optional(),
    isHardFetch: queryFlag.optional(),
    ...options.filters,
  })
}

/** The body of a list's answer. `totalEstimated` marks a count that is too large to be exact. */
export const listBody = <T extends z.ZodType>(row: T) =>
  z.object({
    status: z.literal('Success'),
    data: z.array(row),
    totalPage: z.number().int(),
    totalRecord: z.number().int(),
    totalEstimated: z.boolean().optional(),
  })

/** What a list call gives to a program. */
export interface ListResult<T> {
  data: T[]
  totalPage: number
  totalRecord: number
  totalEstimated?: boolean | undefined
}

/** Filters of every list of things that have tags and a trash. */
export const recordFilters = {
  /** Lists what is in the trash instead. */
  trashed: z.stringbool().optional(),
  /** Records with all of these tags. */
  tags: queryList(z.string().max(40)).optional(),
}
