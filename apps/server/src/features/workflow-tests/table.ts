import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { TestResources } from '@weft/contract/test-runs/schema'
import type { Expectation } from '@weft/contract/workflow-tests/schema'

/** A named case of a workflow: what it is given, and what must hold once it has run. */
export const workflowTest = pgTable('workflow_test', {
  id: uuid().primaryKey(),
  workflowId: uuid('workflow_id').notNull(),
  name: text().notNull(),
  inputs: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  resources: jsonb().$type<TestResources>().notNull().default({}),
  expectedResult: text('expected_result', { enum: ['succeeded', 'failed'] })
    .notNull()
    .default('succeeded'),
  expectations: jsonb().$type<Expectation[]>().notNull().default([]),
  version: integer().notNull().default(1),
  /** It goes up with every change of what is run or expected. */
  revision: integer().notNull().default(1),
  createdBy: uuid('created_by'),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
})
export type WorkflowTestRow = typeof workflowTest.$inferSelect
