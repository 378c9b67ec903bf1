import { z } from 'zod'
import { fieldErrorSchema } from '../core/errors.ts'
import { id, timestamp } from '../core/record.ts'

export const IMPORT_KINDS = ['accounts', 'clients', 'profiles', 'phones', 'proxies', 'videos'] as const

/**
 * How uploaded rows may be written. `auto` looks at the bytes: a workbook, JSON, JSON in lines, or a table. `json` is an
 * array of objects (or one object that holds it), `lines` the kind's own way of writing one record in a line.
 */
export const IMPORT_FORMATS = ['auto', 'csv', 'xlsx', 'json', 'ndjson', 'lines'] as const

/** Encodings of text that are told apart by themselves. */
export const IMPORT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1256'] as const

/** What may part the values of a row. */
export const IMPORT_SEPARATORS = [',', ';', '\t', '|'] as const

/**
 * How the uploaded text is to be read. `mapping` names, per field, the column (by header) it is taken from. Encoding and
 * separator are detected unless given; `sheet` names the sheet of a workbook, the first one with rows otherwise.
 */
export const importInput = z.strictObject({
  format: z.enum(IMPORT_FORMATS).default('csv'),
  encoding: z.enum(IMPORT_ENCODINGS).optional(),
  separator: z.enum(IMPORT_SEPARATORS).optional(),
  sheet: z.string().max(100).optional(),
  fileName: z.string().max(255).optional(),
  mapping: z.string().max(20_000).optional().meta({ description: 'JSON object: field name to column name' }),
})

/** A column that rows of a kind may have, under its own name or one of those that people write for it. */
export const importColumnSchema = z.object({
  name: z.string(),
  required: z.boolean(),
  /** A `date` is a day, such as 2030-12-31, meaning its end in the person's own zone (UTC without one), or a moment of ISO 8601. */
  kind: z.enum(['text', 'number', 'boolean', 'date', 'list', 'json']),
  /** Never shown again once it is taken. */
  secret: z.boolean(),
  /** The words that it takes, where there are only these. */
  options: z.array(z.string()),
  aliases: z.array(z.string()),
  /** What a row of a template says there. */
  example: z.string(),
})
export type ImportColumn = z.infer<typeof importColumnSchema>

export const importStates = ['checked', 'running', 'finished', 'failed', 'undone'] as const

/** A row that cannot be taken: its number in the file (the first row of data is 1), and why. */
export const importProblemSchema = fieldErrorSchema.extend({ row: z.number().int() })

export const importSchema = z.object({
  id,
  kind: z.enum(IMPORT_KINDS),
  fileName: z.string().nullable(),
  state: z.enum(importStates),
  total: z.number().int(),
  good: z.number().int(),
  bad: z.number().int(),
  duplicates: z.number().int(),
  processed: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  /** Rows whose record was there already and stayed as it was. */
  skipped: z.number().int(),
  /** Rows that could not be taken. */
  refused: z.number().int(),
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
  can: z.array(z.string()),
  /** Why what could be expected cannot be done. */
  cannot: z.record(z.string(), z.string()).optional(),
})
export type Import = z.infer<typeof importSchema>

export const importCheckSchema = z.object({
  import: importSchema,
  /** How the bytes were read; what does not apply to the format is null. */
  detected: z.object({
    format: z.enum(IMPORT_FORMATS),
    encoding: z.enum(IMPORT_ENCODINGS).nullable(),
    separator: z.enum(IMPORT_SEPARATORS).nullable(),
    sheet: z.string().nullable(),
    /** The names of all sheets of a workbook. */
    sheets: z.array(z.string()),
  }),
  columns: z.array(z.string()),
  fields: z.array(z.object({ name: z.string(), required: z.boolean() })),
  mapping: z.record(z.string(), z.string()),
  preview: z.array(z.object({ row: z.number().int(), values: z.record(z.string(), z.string()) })),
  problems: z.array(importProblemSchema),
})
export type ImportCheck = z.infer<typeof importCheckSchema>
