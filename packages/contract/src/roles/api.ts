import { z } from 'zod'
import { auditSchema } from '../audit/schema.ts'
import { ACTIONS, SUBJECTS } from '../core/permissions.ts'
import { defineApi } from '../core/endpoint.ts'
import { listQuery } from '../core/list.ts'
import { id, idInput, version } from '../core/record.ts'
import {
  explanationSchema,
  functionSchema,
  previewSchema,
  roleCreate,
  roleRules,
  roleSchema,
  roleUpdate,
} from './schema.ts'

const at = '/api-user/api/v1/role'
const roleKey = z.string().trim().min(1).max(64)

/** Roles: what people may do, in bundles. */
export const roles = defineApi('roles', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'ROLE' },
    summary: 'List roles',
    input: listQuery({
      sortable: ['name', 'createdAt', 'updatedAt'],
      filters: { trashed: z.stringbool().optional() },
    }),
    list: roleSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: { action: 'VIEW', subject: 'ROLE' },
    summary: 'One role with its rules',
    input: idInput,
    data: roleSchema,
  },
  create: {
    method: 'POST',
    path: `${at}/create`,
    access: { action: 'CREATE', subject: 'ROLE' },
    summary: 'Make a role; it can allow nothing that the caller may not do',
    input: z.strictObject(roleCreate),
    data: roleSchema,
    audit: 'role.create',
  },
  update: {
    method: 'POST',
    path: `${at}/update`,
    access: { action: 'UPDATE', subject: 'ROLE' },
    summary: 'Change a role; of a built-in one only whether it asks for a second step',
    input: z.strictObject({ id, version, ...roleUpdate }),
    data: roleSchema,
    audit: 'role.update',
  },
  remove: {
    method: 'POST',
    path: `${at}/delete/{id}`,
    access: { action: 'DELETE', subject: 'ROLE' },
    summary: 'Put a role into the trash; those who have it get `replacement`, without which it stays',
    input: z.strictObject({ id, replacement: roleKey.optional() }),
    data: z.object({ replaced: z.number().int() }),
    audit: 'role.delete',
  },
  restore: {
    method: 'POST',
    path: `${at}/restore/{id}`,
    access: { action: 'DELETE', subject: 'ROLE' },
    summary: 'Take a role out of the trash',
    input: idInput,
    data: roleSchema,
    audit: 'role.restore',
  },
  history: {
    method: 'GET',
    path: `${at}/history/{id}`,
    access: { action: 'VIEW', subject: 'ROLE' },
    summary: 'Who changed this role, and how',
    input: listQuery({ sortable: ['at'], filters: { id } }),
    list: auditSchema,
  },
  preview: {
    method: 'POST',
    path: `${at}/preview/{id}`,
    access: { action: 'VIEW', subject: 'ROLE' },
    summary: 'Who would gain and lose what, if a role had these rules, or were replaced',
    input: z.strictObject({ id, rules: roleRules.optional(), replacement: roleKey.optional() }),
    data: previewSchema,
    idempotent: false,
  },
  explain: {
    method: 'GET',
    path: `${at}/explain`,
    access: { action: 'VIEW', subject: 'ROLE' },
    summary: 'Whether a person may do something, and which rule of which role says so',
    input: z.strictObject({
      userId: id,
      action: z.enum(ACTIONS),
      subject: z.enum(SUBJECTS),
      /** The id of one record of the function. */
      record: id.optional(),
    }),
    data: explanationSchema,
  },
  catalogue: {
    method: 'GET',
    path: `${at}/functions`,
    access: { action: 'VIEW', subject: 'ROLE' },
    summary: 'What roles can be allowed to do',
    data: z.array(functionSchema),
  },
})

const functionsAt = '/api-user/api/v1/function'

/** Functions: what there is to be allowed at all. */
export const functions = defineApi('functions', {
  list: {
    method: 'GET',
    path: `${functionsAt}/list`,
    access: { action: 'VIEW', subject: 'FUNCTION' },
    summary: 'The catalogue of functions',
    data: z.array(functionSchema),
  },
  update: {
    method: 'POST',
    path: `${functionsAt}/update`,
    access: { action: 'UPDATE', subject: 'FUNCTION' },
    summary: 'Switch a function on or off; one that is off is there for administrators alone',
    input: z.strictObject({ subject: z.enum(SUBJECTS), enabled: z.boolean() }),
    data: functionSchema,
    audit: 'function.update',
  },
})
