import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'

export const IMPORT_KINDS = ['accounts', 'clients', 'profiles', 'phones', 'proxies', 'videos'] as const

/** How the uploaded text is to be read. `mapping` names, per field, the column (by header) it is taken from. */
export const importInput = z.strictObject({
  format: z.enum(['csv', 'ndjson', 'lines']).default('csv'),
  fileName: z.string().max(255).optional(),
  mapping: z.string().max(20_000).optional().meta({ description: 'JSON object: field name to column name' }),
})

export const importStates = ['checked', 'running', 'finished', 'failed', 'undone'] as const

/** A row that cannot be taken: its number in the file (the first row of data is 1), and why. */
export const importProblemSchema = z.object({
  row: z.number().int(),
  path: z.string(),
  code: z.string(),
  message: z.string(),
})

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
  skipped: z.number().int(),
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
  can: z.array(z.string()),
})
export type Import = z.infer<typeof importSchema>

export const importCheckSchema = z.object({
  import: importSchema,
  columns: z.array(z.string()),
  fields: z.array(z.object({ name: z.string(), required: z.boolean() })),
  mapping: z.record(z.string(), z.string()),
  preview: z.array(z.object({ row: z.number().int(), values: z.record(z.string(), z.string()) })),
  problems: z.array(importProblemSchema),
})
export type ImportCheck = z.infer<typeof importCheckSchema>
