import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryInt, queryList } from '../core/list.ts'
import { id, idInput } from '../core/record.ts'
import { logLineSchema, retryFrom, RUN_CYCLES, RUN_RESULTS, runDetailSchema, runSchema } from './schema.ts'

const at = '/api-elsa/api/v1/elsa/run'

export const runs = defineApi('runs', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'List runs, newest first',
    input: listQuery({
      sortable: ['queuedAt', 'startedAt', 'finishedAt'],
      filters: {
        campaignId: id.optional(),
        itemId: id.optional(),
        clientId: id.optional(),
        workflowId: id.optional(),
        cycle: queryList(z.enum(RUN_CYCLES)).optional(),
        result: queryList(z.enum(RUN_RESULTS)).optional(),
      },
    }),
    list: runSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'One run with its step timeline and files',
    input: idInput,
    data: runDetailSchema,
  },
  log: {
    method: 'GET',
    path: `${at}/log/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'Lines of the log from a byte offset on; `next` is where to go on',
    input: z.strictObject({
      id,
      offset: queryInt(z.int().min(0)).default(0),
      bytes: queryInt(z.int().min(1).max(1_048_576)).default(262_144),
    }),
    data: z.object({ lines: z.array(logLineSchema), next: z.number().int(), size: z.number().int() }),
  },
  file: {
    method: 'GET',
    path: `${at}/file/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'A screenshot, a Playwright trace or a download of a run',
    input: idInput,
    stream: ['image/png', 'image/jpeg', 'application/zip', 'application/octet-stream'],
  },
  cancel: {
    method: 'POST',
    path: `${at}/cancel/{id}`,
    access: { action: 'RUN', subject: 'CAMPAIGN' },
    summary: 'Stop a run; its browser closes within the grace time',
    input: z.strictObject({ id, note: z.string().max(1000).optional() }),
    data: runSchema,
    audit: 'run.cancel',
  },
  retry: {
    method: 'POST',
    path: `${at}/retry/{id}`,
    access: { action: 'RUN', subject: 'CAMPAIGN' },
    summary: 'Have the item of a finished run tried again; the new run is linked to this one',
    input: z.strictObject({ id, from: retryFrom }),
    data: runSchema,
    audit: 'run.retry',
  },
})
