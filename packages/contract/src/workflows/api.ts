import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList, recordFilters } from '../core/list.ts'
import { id, idInput, version, usesSchema } from '../core/record.ts'
import { WORKFLOW_FILE_BYTES, workflowFile, workflowImportReport } from './file.ts'
import {
  folder,
  folderSchema,
  listingSchema,
  problemSchema,
  releaseSchema,
  wireDocumentSchema,
  workflowCreate,
  workflowRowSchema,
  workflowSchema,
  workflowUpdate,
} from './schema.ts'

const at = '/api-elsa/api/v1/elsa/workflow'
const maxBodyBytes = 2 * 1024 * 1024

export const workflows = defineApi('workflows', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'WORKFLOW' },
    summary: 'List workflows; the search also looks at what is written in their steps',
    input: listQuery({
      sortable: ['name', 'publishedRelease', 'createdAt', 'updatedAt'],
      filters: {
        ...recordFilters,
        projectId: id.optional(),
        published: z.stringbool().optional(),
        /** Any of these folders, each with all that lies below it. */
        folder: queryList(folder).optional(),
      },
    }),
    list: workflowRowSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: { action: 'VIEW', subject: 'WORKFLOW' },
    summary: 'One workflow with its draft and what is wrong with it',
    input: idInput,
    data: workflowSchema,
  },
  create: {
    method: 'POST',
    path: `${at}/create`,
    access: { action: 'CREATE', subject: 'WORKFLOW' },
    summary: 'Create a workflow',
    input: z.strictObject(workflowCreate),
    data: workflowSchema,
    audit: 'workflow.create',
    maxBodyBytes,
  },
  update: {
    method: 'POST',
    path: `${at}/update`,
    access: { action: 'UPDATE', subject: 'WORKFLOW' },
    summary: 'Save the draft or change name, description, project',
    input: z.strictObject({ id, version, ...workflowUpdate }),
    data: workflowSchema,
    audit: 'workflow.update',
    maxBodyBytes,
  },
  remove: {
    method: 'POST',
    path: `${at}/delete/{id}`,
    access: { action: 'DELETE', subject: 'WORKFLOW' },
    summary: 'Put a workflow into the trash; refused while a campaign uses it',
    input: idInput,
    audit: 'workflow.delete',
  },
  restore: {
    method: 'POST',
    path: `${at}/restore/{id}`,
    access: { action: 'DELETE', subject: 'WORKFLOW' },
    summary: 'Take a workflow out of the trash',
    input: idInput,
    data: workflowRowSchema,
    audit: 'workflow.restore',
  },
  folders: {
    method: 'GET',
    path: `${at}/folders`,
    access: { action: 'VIEW', subject: 'WORKFLOW' },
    summary: 'The folders that workflows lie in, in order, with how many there are in each and below it',
    data: z.array(folderSchema),
  },
  publish: {
    method: 'POST',
    path: `${at}/publish`,
    access: { action: 'PUBLISH', subject: 'WORKFLOW' },
    summary: 'Make an immutable, numbered release of the draft',
    input: z.strictObject({
      id,
      version,
      changelog: z.string().max(5000).default(''),
      /** Only if every test has passed on this draft, also where the workflow does not ask for that. */
      testsMustPass: z.boolean().default(false),
    }),
    data: releaseSchema,
    audit: 'workflow.publish',
  },
  withdraw: {
    method: 'POST',
    path: `${at}/withdraw-release`,
    access: { action: 'PUBLISH', subject: 'WORKFLOW' },
    summary:
      'No longer offer a release, or offer it again; refused while a campaign or another workflow needs it',
    input: z.strictObject({ id, number: z.number().int().min(1), withdrawn: z.boolean() }),
    data: releaseSchema,
    audit: 'workflow.withdraw',
  },
  whereUsed: {
    method: 'GET',
    path: `${at}/where-used/{id}`,
    access: { action: 'VIEW', subject: 'WORKFLOW' },
    summary: 'The campaigns that run a workflow and the workflows that call it, and which of them keep it',
    input: idInput,
    data: usesSchema,
  },
  export: {
    method: 'GET',
    path: `${at}/export/{id}`,
    access: { action: 'EXPORT', subject: 'WORKFLOW' },
    summary: 'A workflow with its releases as one readable text',
    input: idInput,
    stream: ['application/json'],
  },
  import: {
    method: 'POST',
    path: `${at}/import`,
    access: { action: 'IMPORT', subject: 'WORKFLOW' },
    summary: 'Make a new workflow of such a text, and say what is missing',
    input: z.strictObject({ file: workflowFile, projectId: id.nullable().default(null) }),
    data: workflowImportReport,
    audit: 'workflow.import',
    maxBodyBytes: WORKFLOW_FILE_BYTES,
  },
  sellOnMarket: {
    method: 'POST',
    path: `${at}/sell-on-market`,
    access: { action: 'PUBLISH', subject: 'WORKFLOW' },
    summary: 'What is still missing before a workflow can be offered on the market',
    readsOnly: true,
    input: idInput,
    data: listingSchema,
  },
  validate: {
    method: 'POST',
    path: `${at}/validate`,
    access: { action: 'VIEW', subject: 'WORKFLOW' },
    summary: 'What is wrong with a document, without saving it',
    readsOnly: true,
    input: z.strictObject({ draft: wireDocumentSchema }),
    data: z.array(problemSchema),
    maxBodyBytes,
  },
  releases: {
    method: 'GET',
    path: `${at}/get-releases`,
    access: { action: 'VIEW', subject: 'WORKFLOW' },
    summary: 'Releases of a workflow, newest first',
    input: listQuery({ sortable: ['number'], filters: { id } }),
    list: releaseSchema,
  },
  release: {
    method: 'GET',
    path: `${at}/get-release/{id}/{number}`,
    access: { action: 'VIEW', subject: 'WORKFLOW' },
    summary: 'The content of one release',
    input: z.strictObject({ id, number: z.coerce.number().int().min(1) }),
    data: releaseSchema.extend({ document: wireDocumentSchema }),
  },
})
