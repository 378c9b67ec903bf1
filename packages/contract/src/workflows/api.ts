import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery } from '../core/list.ts'
import { id, idInput, version } from '../core/record.ts'
import {
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
    summary: 'List workflows',
    input: listQuery({
      sortable: ['name', 'publishedRelease', 'createdAt', 'updatedAt'],
      filters: { projectId: id.optional(), published: z.stringbool().optional() },
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
  publish: {
    method: 'POST',
    path: `${at}/publish`,
    access: { action: 'PUBLISH', subject: 'WORKFLOW' },
    summary: 'Make an immutable, numbered release of the draft',
    input: z.strictObject({ id, version, changelog: z.string().max(5000).default('') }),
    data: releaseSchema,
    audit: 'workflow.publish',
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
