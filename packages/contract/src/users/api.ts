import { z } from 'zod'
import { auditSchema } from '../audit/schema.ts'
import { botToken } from '../access/bot-check/schema.ts'
import { email, newPasswordTwice, username, sameTwice } from '../access/schema.ts'
import { twoStepsSchema } from '../access/two-steps/schema.ts'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { id, idInput, timestamp, version } from '../core/record.ts'
import { quotaSchema } from './quota.ts'
import {
  belongingsSchema,
  displayName,
  LOCALES,
  ownedSchema,
  personAbilitiesSchema,
  personSchema,
  roleChoiceSchema,
  profileSchema,
  roleKeys,
  timeZone,
  USER_STATUSES,
} from './schema.ts'

const at = '/api-user/api/v1/user'
const sortable = ['username', 'displayName', 'email', 'status', 'createdAt', 'updatedAt'] as const
const filters = {
  status: queryList(z.enum(USER_STATUSES)).optional(),
  role: queryList(z.string().max(64)).optional(),
  /** Those whom this person made. */
  ownerId: id.optional(),
  trashed: z.stringbool().optional(),
}

/** People: those who look after them, and what each does about themselves. */
export const users = defineApi('users', {
  list: {
    method: 'GET',
    path: `${at}/fetch-users`,
    access: { action: 'VIEW', subject: 'USER' },
    summary: 'List people',
    input: listQuery({ sortable, filters }),
    list: personSchema,
  },
  subusers: {
    method: 'GET',
    path: `${at}/fetch-subusers`,
    access: { action: 'VIEW', subject: 'USER' },
    summary: 'List the people whom the caller made',
    input: listQuery({ sortable, filters }),
    list: personSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/fetch-user`,
    access: { action: 'VIEW', subject: 'USER' },
    summary: 'One person',
    input: idInput,
    data: personSchema,
  },
  create: {
    method: 'POST',
    path: `${at}/create-user`,
    access: { action: 'CREATE', subject: 'USER' },
    summary: 'Invite a person: they set their password with the one-time link of this answer',
    input: z.strictObject({
      username,
      displayName: displayName.optional(),
      email: email.optional(),
      roles: roleKeys.default([]),
      quota: quotaSchema.optional(),
      locale: z.enum(LOCALES).optional(),
      timeZone: timeZone.optional(),
      botToken,
    }),
    data: z.object({ user: personSchema, link: z.object({ url: z.string(), expiresAt: timestamp }) }),
    audit: 'user.create',
    botAction: 'createUser',
    // The answer holds a secret, which must not be kept to be given again.
    idempotent: false,
  },
  update: {
    method: 'POST',
    path: `${at}/update-user`,
    access: { action: 'UPDATE', subject: 'USER' },
    summary: 'Change a person, also their roles; new roles hold from their next call on',
    input: z.strictObject({
      id,
      version,
      displayName: displayName.optional(),
      email: email.nullable().optional(),
      roles: roleKeys.optional(),
      quota: quotaSchema.optional(),
      locale: z.enum(LOCALES).optional(),
      timeZone: timeZone.nullable().optional(),
    }),
    data: personSchema,
    audit: 'user.update',
  },
  suspend: {
    method: 'POST',
    path: `${at}/suspend/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary: 'Keep a person out; their sessions end at once',
    input: idInput,
    data: personSchema,
    audit: 'user.suspend',
  },
  activate: {
    method: 'POST',
    path: `${at}/activate/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary: 'Let a suspended person in again',
    input: z.strictObject({ id, botToken }),
    data: personSchema,
    audit: 'user.activate',
    botAction: 'activeUser',
  },
  roles: {
    method: 'GET',
    path: `${at}/roles`,
    access: { action: 'VIEW', subject: 'USER' },
    summary: 'The roles that the caller has or sees, and which of them they may give',
    list: roleChoiceSchema,
  },
  remove: {
    method: 'POST',
    path: `${at}/delete/{id}`,
    access: { action: 'DELETE', subject: 'USER' },
    summary:
      'Put a person into the trash; what they own goes to `userId`, without which somebody who owns anything stays',
    input: z.strictObject({ id, userId: id.optional() }),
    data: z.object({ moved: ownedSchema }),
    audit: 'user.delete',
  },
  restore: {
    method: 'POST',
    path: `${at}/restore/{id}`,
    access: { action: 'DELETE', subject: 'USER' },
    summary: 'Take a person out of the trash; what went to somebody else stays there',
    input: idInput,
    data: personSchema,
    audit: 'user.restore',
  },
  transfer: {
    method: 'POST',
    path: `${at}/transfer/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary: 'Give everything that a person owns to another',
    input: z.strictObject({ id, userId: id }),
    data: z.object({ moved: ownedSchema }),
    audit: 'user.transfer',
  },
  owns: {
    method: 'GET',
    path: `${at}/owns/{id}`,
    access: { action: 'VIEW', subject: 'USER' },
    summary: 'What a person owns, and how much of their limits it takes',
    input: idInput,
    data: belongingsSchema,
  },
  abilities: {
    method: 'GET',
    path: `${at}/abilities/{id}`,
    access: { action: 'VIEW', subject: 'USER' },
    summary: 'What a person may do in the end',
    input: idInput,
    data: personAbilitiesSchema,
  },
  twoSteps: {
    method: 'GET',
    path: `${at}/two-steps/{id}`,
    access: { action: 'MANAGE', subject: 'USER' },
    summary: 'What a person has for a second step',
    input: idInput,
    data: twoStepsSchema,
  },
  history: {
    method: 'GET',
    path: `${at}/history/{id}`,
    access: { action: 'VIEW', subject: 'USER' },
    summary: 'Who changed this person, and how',
    input: listQuery({ sortable: ['at'], filters: { id } }),
    list: auditSchema,
  },
  profile: {
    method: 'GET',
    path: `${at}/profile`,
    access: 'signedIn',
    summary: 'What the caller keeps about themselves',
    data: profileSchema,
  },
  updateProfile: {
    method: 'POST',
    path: `${at}/update-profile`,
    access: 'signedIn',
    summary: 'Change one’s own name, language or time zone',
    input: z.strictObject({
      version,
      displayName: displayName.optional(),
      locale: z.enum(LOCALES).optional(),
      timeZone: timeZone.nullable().optional(),
    }),
    data: profileSchema,
    audit: 'user.update_profile',
  },
  changePassword: {
    method: 'POST',
    path: `${at}/change-password`,
    access: 'signedIn',
    summary: 'Set a new password of one’s own; every other session of the caller ends',
    input: sameTwice(
      z.strictObject({
        currentPassword: z.string().min(1).max(256),
        ...newPasswordTwice,
        botToken,
      }),
    ),
    data: z.object({ sessionsEnded: z.number().int() }),
    audit: 'password.change',
    botAction: 'changePassword',
    idempotent: false,
  },
})
