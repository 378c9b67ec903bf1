import { z } from 'zod'
import { defineApi, type EndpointSpec } from './endpoint.ts'
import { listQuery, queryFlag, recordFilters } from './list.ts'
import { id, idInput, selection, tags, timestamp, version, usesSchema } from './record.ts'
import type { Subject } from './permissions.ts'
import { importCheckSchema, importInput } from '../imports/schema.ts'
import { BULK_ACTIONS, bulkPreviewSchema, bulkSchema } from '../bulks/schema.ts'
import { auditSchema } from '../audit/schema.ts'

export const RESOURCES_PREFIX = '/api-resources/api/v1/resource'

/** The content type of an XLSX file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** CSV for programs and spreadsheets, NDJSON for programs, XLSX with every cell a text that is never run. */
export const exportFormats = ['csv', 'ndjson', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** How many tags are suggested at once. */
export const MOST_TAGS = 50

/** Filters that every resource's list has beside its own. */
const commonFilters = {
  ...recordFilters,
  /** Made at or after this time, and before that one. */
  createdFrom: timestamp.optional(),
  createdTo: timestamp.optional(),
  /** Whether anything uses the record now: a run, a campaign, another record. */
  used: queryFlag.optional(),
}

/**
 * The calls that every resource has, under its own path: list, tags, get, create, update, delete (to the trash), restore, purge, bulk,
 * history, where-used, export and import. Updates carry the version they were made on and only the fields that change.
 */
export function resourceApi<
  const F extends string,
  R extends z.ZodType,
  C extends z.ZodRawShape,
  U extends z.ZodRawShape,
  const S extends readonly [string, ...string[]],
  L extends z.ZodRawShape,
>(options: {
  feature: F
  path: string
  subject: Subject
  noun: string
  record: R
  create: C
  update: U
  sortable: S
  filters: L
}) {
  const { path, subject, noun, record } = options
  const at = `${RESOURCES_PREFIX}/${path}`
  const query = listQuery({
    sortable: options.sortable,
    filters: { ...commonFilters, ...options.filters },
  })
  /** One thing for many: `update` takes `fields`, the tag actions take `tags`. */
  const bulkInput = z.strictObject({
    selection,
    action: z.enum(BULK_ACTIONS),
    fields: z.strictObject(options.update).optional(),
    tags: tags.optional(),
  })
  return defineApi(options.feature, {
    list: {
      method: 'GET',
      path: `${at}/list`,
      access: { action: 'VIEW', subject },
      summary: `List ${noun}s`,
      input: query,
      list: record,
    },
    tags: {
      method: 'GET',
      path: `${at}/tags`,
      access: { action: 'VIEW', subject },
      summary: `Tags of the ${noun}s that the caller sees, the most used ones of the newest first`,
      input: z.strictObject({ q: z.string().trim().max(40).optional() }),
      data: z.array(z.string()),
    },
    get: {
      method: 'GET',
      path: `${at}/get/{id}`,
      access: { action: 'VIEW', subject },
      summary: `One ${noun}`,
      input: idInput,
      data: record,
    },
    create: {
      method: 'POST',
      path: `${at}/create`,
      access: { action: 'CREATE', subject },
      summary: `Create a ${noun}`,
      input: z.strictObject(options.create),
      data: record,
      audit: `${noun}.create`,
    },
    update: {
      method: 'POST',
      path: `${at}/update`,
      access: { action: 'UPDATE', subject },
      summary: `Change a ${noun}`,
      input: z.strictObject({ id, version, ...options.update }),
      data: record,
      audit: `${noun}.update`,
    },
    remove: {
      method: 'POST',
      path: `${at}/delete/{id}`,
      access: { action: 'DELETE', subject },
      summary: `Put a ${noun} into the trash`,
      input: idInput,
      audit: `${noun}.delete`,
    },
    restore: {
      method: 'POST',
      path: `${at}/restore/{id}`,
      access: { action: 'DELETE', subject },
      summary: `Take a ${noun} out of the trash`,
      input: idInput,
      data: record,
      audit: `${noun}.restore`,
    },
    purge: {
      method: 'POST',
      path: `${at}/purge/{id}`,
      access: { action: 'DELETE', subject },
      summary: `Delete a ${noun} that is in the trash for good, unless something uses it`,
      input: idInput,
      audit: `${noun}.purge`,
    },
    bulk: {
      method: 'POST',
      path: `${at}/bulk`,
      access: { action: 'UPDATE', subject },
      summary: `Do one thing to many ${noun}s`,
      input: bulkInput,
      data: bulkSchema,
      audit: `${noun}.bulk`,
    },
    bulkPreview: {
      method: 'POST',
      path: `${at}/bulk-preview`,
      access: { action: 'UPDATE', subject },
      summary: `What a bulk action would do with the ${noun}s, and which it would refuse`,
      input: bulkInput,
      data: bulkPreviewSchema,
      readsOnly: true,
      idempotent: false,
    },
    history: {
      method: 'GET',
      path: `${at}/history/{id}`,
      access: { action: 'VIEW', subject },
      summary: `Who changed this ${noun}, and how`,
      input: listQuery({ sortable: ['at'], filters: { id } }),
      list: auditSchema,
    },
    revert: {
      method: 'POST',
      path: `${at}/revert`,
      access: { action: 'UPDATE', subject },
      summary: `Give a ${noun} the values back that it had after a line of its history`,
      input: z.strictObject({ id, version, entry: id }),
      data: record,
      audit: `${noun}.revert`,
    },
    whereUsed: {
      method: 'GET',
      path: `${at}/where-used/{id}`,
      access: { action: 'VIEW', subject },
      summary: `What uses this ${noun}`,
      input: idInput,
      data: usesSchema,
    },
    export: {
      method: 'GET',
      path: `${at}/export`,
      access: { action: 'EXPORT', subject },
      summary: `Export the ${noun}s that match`,
      input: query.extend({ format: z.enum(exportFormats).default('csv') }),
      stream: ['text/csv', 'application/x-ndjson', XLSX_TYPE],
      audit: `${noun}.export`,
    },
    import: {
      method: 'POST',
      path: `${at}/import`,
      access: { action: 'IMPORT', subject },
      summary: `Upload rows of ${noun}s and check each; nothing is created yet`,
      input: importInput,
      rawBody: { maxBytes: 64 * 1024 * 1024 },
      data: importCheckSchema,
      idempotent: false,
    },
  } satisfies Record<string, EndpointSpec>)
}
