import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { HOLD_ENDINGS, type Question } from '@weft/workflow/question'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** A long wait of a run: for a time, or for a person's answer. A run that left its client has its state here, sealed. */
export const runHold = pgTable('run_hold', {
  id: uuid().primaryKey(),
  runId: uuid('run_id').notNull(),
  seq: integer().notNull(),
  kind: text({ enum: ['time', 'question'] }).notNull(),
  inPlace: boolean('in_place').notNull(),
  stepId: text('step_id').notNull(),
  stepName: text('step_name'),
  path: text().notNull(),
  question: jsonb().$type<Question>(),
  state: text(),
  fileId: uuid('file_id'),
  createdAt: at('created_at').notNull().defaultNow(),
  dueAt: at('due_at').notNull(),
  told: boolean().notNull().default(false),
  ending: text({ enum: HOLD_ENDINGS }),
  endedAt: at('ended_at'),
  answers: jsonb().$type<Record<string, unknown>>(),
  answeredBy: uuid('answered_by'),
})
