import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList, recordFilters } from '../core/list.ts'
import { id, idInput, version } from '../core/record.ts'
import { MEMBER_ROLES, projectMemberSchema } from './members.ts'
import { PROJECT_STATUSES, projectCreate, projectRowSchema, projectSchema, projectUpdate } from './schema.ts'
import { projectNamesSchema, projectSecretSchema, valueName } from './values.ts'

/** The name somebody signs in with: whoever invites knows it. */
const memberName = z.string().trim().min(1).max(254)

/** Where the calls of projects are. */
export const at = '/api-elsa/api/v1/elsa/project'

export const projects = defineApi('projects', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'List projects',
    input: listQuery({
      sortable: ['name', 'status', 'createdAt', 'updatedAt'],
      filters: { ...recordFilters, status: queryList(z.enum(PROJECT_STATUSES)).optional() },
    }),
    list: projectRowSchema,
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
  restore: {
    method: 'POST',
    path: `${at}/restore/{id}`,
    access: { action: 'DELETE', subject: 'PROJECT' },
    summary: 'Take a project out of the trash',
    input: idInput,
    data: projectRowSchema,
    audit: 'project.restore',
  },
  members: {
    method: 'GET',
    path: `${at}/members/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'Who is in a project, as what; the owner first',
    input: idInput,
    data: z.array(projectMemberSchema),
  },
  setMember: {
    method: 'POST',
    path: `${at}/set-member/{id}`,
    access: { action: 'UPDATE', subject: 'PROJECT' },
    summary: 'Give somebody a role within a project; nobody gives more than they may do there themselves',
    input: z.strictObject({ id, username: memberName, role: z.enum(MEMBER_ROLES) }),
    data: z.array(projectMemberSchema),
    audit: 'project.set_member',
  },
  removeMember: {
    method: 'POST',
    path: `${at}/delete-member/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'Take somebody out of a project, or leave it oneself',
    input: z.strictObject({ id, username: memberName }),
    audit: 'project.delete_member',
  },
  names: {
    method: 'GET',
    path: `${at}/names/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'The names that expressions of its workflows can use: variables with their types, and secrets',
    input: idInput,
    data: projectNamesSchema,
  },
  secrets: {
    method: 'GET',
    path: `${at}/secrets/{id}`,
    access: { action: 'VIEW', subject: 'PROJECT' },
    summary: 'Which secrets a project has; no call gives their values',
    input: idInput,
    data: z.array(projectSecretSchema),
  },
  setSecret: {
    method: 'POST',
    path: `${at}/set-secret/{id}`,
    access: { action: 'UPDATE', subject: 'PROJECT' },
    summary: 'Add a secret or give it another value; runs use it, nobody reads it back',
    input: z.strictObject({
      id,
      name: valueName,
      /** Left out: only the description changes. */
      value: z.string().min(1).max(10_000).optional(),
      description: z.string().max(500).optional(),
    }),
    data: z.array(projectSecretSchema),
    audit: 'project.set_secret',
  },
  removeSecret: {
    method: 'POST',
    path: `${at}/delete-secret/{id}`,
    access: { action: 'UPDATE', subject: 'PROJECT' },
    summary: 'Delete a secret of a project',
    input: z.strictObject({ id, name: valueName }),
    data: z.array(projectSecretSchema),
    audit: 'project.delete_secret',
  },
})
