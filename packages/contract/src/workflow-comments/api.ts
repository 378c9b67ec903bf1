import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery } from '../core/list.ts'
import { id, idInput, version } from '../core/record.ts'
import {
  COMMENT_PLACES,
  COMMENT_STATES,
  commenterSchema,
  commentSchema,
  commentSummarySchema,
  commentText,
  threadSchema,
} from './schema.ts'

const at = '/api-elsa/api/v1/elsa/workflow/comment'
/** Whoever may read a workflow may comment on it, signed in as themselves. */
const read = { action: 'VIEW', subject: 'WORKFLOW' } as const
const activityId = z.string().min(1).max(64)

/** What people say about a workflow and its steps. Comments are no part of the document: they make no version of it. */
export const workflowComments = defineApi('workflowComments', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: read,
    summary: 'Threads of comments on a workflow, those with the newest comments first',
    input: listQuery({
      sortable: ['lastAt'],
      filters: {
        workflowId: id,
        state: z.enum(COMMENT_STATES).optional(),
        place: z.enum(COMMENT_PLACES).optional(),
        activityId: activityId.optional(),
      },
    }),
    list: threadSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: read,
    summary: 'One thread of comments',
    input: idInput,
    data: threadSchema,
  },
  replies: {
    method: 'GET',
    path: `${at}/replies`,
    access: read,
    summary: 'The replies of a thread, the oldest first',
    input: listQuery({ sortable: ['createdAt'], filters: { id } }),
    list: commentSchema,
  },
  summary: {
    method: 'GET',
    path: `${at}/summary/{workflowId}`,
    access: read,
    summary: 'How many threads are open on each step, and how much of them is unread',
    input: z.strictObject({ workflowId: id }),
    data: commentSummarySchema,
  },
  people: {
    method: 'GET',
    path: `${at}/people`,
    access: read,
    summary: 'Who can be mentioned: people who may see the workflow',
    input: z.strictObject({ workflowId: id, q: z.string().trim().max(100).default('') }),
    data: z.array(commenterSchema),
  },
  add: {
    method: 'POST',
    path: `${at}/add`,
    access: read,
    summary: 'Comment on a workflow or on one of its steps',
    input: z.strictObject({
      workflowId: id,
      activityId: activityId.nullable().default(null),
      text: commentText,
    }),
    data: threadSchema,
    audit: 'workflow.comment',
  },
  reply: {
    method: 'POST',
    path: `${at}/reply`,
    access: read,
    summary: 'Answer to a thread; one that was resolved is open again',
    input: z.strictObject({ id, text: commentText }),
    data: threadSchema,
    audit: 'workflow.comment_reply',
  },
  edit: {
    method: 'POST',
    path: `${at}/edit`,
    access: read,
    summary: 'Change an own comment; who is newly mentioned is told',
    input: z.strictObject({ id, version, text: commentText }),
    data: commentSchema,
    audit: 'workflow.comment_edit',
  },
  remove: {
    method: 'POST',
    path: `${at}/delete`,
    access: read,
    summary: 'Delete an own comment; whoever may delete the workflow may delete any',
    input: z.strictObject({ id, version }),
    audit: 'workflow.comment_delete',
  },
  resolve: {
    method: 'POST',
    path: `${at}/resolve`,
    access: read,
    summary: 'Resolve a thread or open it again',
    input: z.strictObject({ id, resolved: z.boolean() }),
    data: threadSchema,
    audit: 'workflow.comment_resolve',
  },
  seen: {
    method: 'POST',
    path: `${at}/seen`,
    access: read,
    summary: 'Take all comments on a workflow as read',
    input: z.strictObject({ workflowId: id }),
    data: z.object({ changed: z.number().int() }),
    idempotent: false,
  },
})
