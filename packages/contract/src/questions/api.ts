import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { id, idInput } from '../core/record.ts'
import { askedSchema, QUESTION_STATES } from './schema.ts'

const at = '/api-elsa/api/v1/elsa/question'

/** What runs ask people. Somebody sees the questions that they may answer. */
export const questions = defineApi('questions', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'List the questions that the caller may answer, newest first',
    input: listQuery({
      sortable: ['since', 'dueAt'],
      filters: {
        state: queryList(z.enum(QUESTION_STATES)).optional(),
        campaignId: id.optional(),
        runId: id.optional(),
      },
    }),
    list: askedSchema,
  },
  get: {
    method: 'GET',
    path: `${at}/get/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'One question, with what came of it',
    input: idInput,
    data: askedSchema,
  },
  answer: {
    method: 'POST',
    path: `${at}/answer/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'Answer a question; the first answer counts, and the run goes on with it',
    input: z.strictObject({
      id,
      /** By field; checked against the question's form. */
      answers: z.record(
        z.string().max(64),
        z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()]),
      ),
    }),
    data: askedSchema,
    audit: 'question.answer',
  },
  picture: {
    method: 'GET',
    path: `${at}/picture/{id}`,
    access: { action: 'VIEW', subject: 'CAMPAIGN' },
    summary: 'The picture of the page that stood when the question was asked',
    input: idInput,
    stream: ['image/png', 'image/jpeg'],
  },
})
