import { auditSchema } from '../audit/schema.ts'
import { defineApi } from '../core/endpoint.ts'
import { listQuery } from '../core/list.ts'
import { id, idInput } from '../core/record.ts'
import { at } from './api.ts'
import { projectHealthSchema, projectReleaseSchema } from './transfer.ts'

/** The calls that tell how a project does. */
export const projectInsight = defineApi('projects', {
  releases: {
    method: 'GET',
    path: `${at}/releases/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'The releases of all its workflows, newest first',
    input: listQuery({ sortable: ['createdAt'], filters: { id } }),
    list: projectReleaseSchema,
  },
  activity: {
    method: 'GET',
    path: `${at}/activity/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'Who changed the project, its workflows and campaigns, and how',
    input: listQuery({ sortable: ['at'], filters: { id } }),
    list: auditSchema,
  },
  health: {
    method: 'GET',
    path: `${at}/health/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'What failed lately in the project, and which of its workflows have mistakes',
    input: idInput,
    data: projectHealthSchema,
  },
})
