import { z } from 'zod'
import { questionFieldSchema } from '@weft/workflow/question'
import { id, timestamp } from '../core/record.ts'

/** `withdrawn`: what asked is over without an answer, cancelled or skipped. */
export const QUESTION_STATES = ['open', 'answered', 'timed_out', 'withdrawn'] as const
export type QuestionState = (typeof QUESTION_STATES)[number]

/** What a run asks a person, and what came of it. */
export const askedSchema = z.object({
  id,
  title: z.string(),
  text: z.string(),
  fields: z.array(questionFieldSchema),
  state: z.enum(QUESTION_STATES),
  campaignId: id.nullable(),
  campaignTitle: z.string().nullable(),
  workflowName: z.string(),
  accountName: z.string().nullable(),
  itemSeq: z.number().int().nullable(),
  runId: id,
  stepName: z.string().nullable(),
  since: timestamp,
  dueAt: timestamp,
  endedAt: timestamp.nullable(),
  answers: z.record(z.string(), z.unknown()).nullable(),
  answeredByName: z.string().nullable(),
  /** The picture of the page, a file of the run; null where none was taken. */
  pictureId: id.nullable(),
  can: z.array(z.string()),
})
export type Asked = z.infer<typeof askedSchema>
