import { z } from 'zod'

/** A time in what a query written by hand gives (a date, or text out of JSON), as the contract writes it. */
export const moment = z.union([z.date(), z.string()]).transform((value) => new Date(value).toISOString())

/** The same, where there may be none. */
export const momentOrNull = moment.nullable()
