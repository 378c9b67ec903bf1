import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { id, idInput, version } from '../core/record.ts'
import { PROJECT_STATUSES, projectCreate, projectSchema, projectUpdate } from './schema.ts'

const at = '/api-elsa/api/v1/elsa/project'

export const projects = defineApi('projects', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'List projects',
    input: listQuery({
      sortable: ['name', 'status', 'createdAt', 'updatedAt'],
      filters: { status: queryList(z.enum(PROJECT_STATUSES)).optional() },
    }),
    list: projectSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'One project',
    input: idInput,
    data: projectSchema,
  },
  create: {
    method: 'POST',
    path: `${at}/create`,
    access: { action: 'CREATE', subject: 'PROJECT' },
    summary: 'Create a project',
    input: z.strictObject(projectCreate),
    data: projectSchema,
    audit: 'project.create',
  },
  update: {
    method: 'POST',
    path: `${at}/update`,
    access: { action: 'UPDATE', subject: 'PROJECT' },
    summary: 'Change a project',
    input: z.strictObject({ id, version, ...projectUpdate }),
    data: projectSchema,
    audit: 'project.update',
  },
  remove: {
    method: 'POST',
    path: `${at}/delete/{id}`,
    access: { action: 'DELETE', subject: 'PROJECT' },
    summary: 'Put a project into the trash; refused while it has workflows or campaigns',
    input: idInput,
    audit: 'project.delete',
  },
})
