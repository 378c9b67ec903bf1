import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { TestScope } from '@weft/contract/test-runs/schema'
import type { Check, Expectation } from '@weft/contract/workflow-tests/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { JsonObject } from '@weft/workflow/json'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Variables and outputs of steps. */
export interface Values {
  vars: JsonObject
  steps: Record<string, JsonObject>
  /** The address of the page before each step. */
  pages: Record<string, string>
}

/** What a test run runs, with what, and what it left; its life is that of its run. */
export const testRun = pgTable('test_run', {
  runId: uuid('run_id').primaryKey(),
  workflowId: uuid('workflow_id').notNull(),
  startedBy: uuid('started_by').notNull(),
  document: jsonb().$type<WorkflowDocument>().notNull(),
  hash: text().notNull(),
  scope: jsonb().$type<TestScope>().notNull(),
  accountId: uuid('account_id'),
  profileId: uuid('profile_id'),
  proxyId: uuid('proxy_id'),
  phoneId: uuid('phone_id'),
  videoId: uuid('video_id'),
  inputs: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  /** Sealed; null once the run is over. */
  secretInputs: text('secret_inputs'),
  pins: jsonb().$type<Record<string, JsonObject>>().notNull().default({}),
  base: jsonb().$type<Values>(),
  vars: jsonb().$type<JsonObject>(),
  steps: jsonb().$type<Record<string, JsonObject>>(),
  pages: jsonb().$type<Record<string, string>>(),
  /** The workflow test that it is of, with what was expected then and what came of it. */
  testId: uuid('test_id'),
  testRevision: integer('test_revision'),
  expectedResult: text('expected_result', { enum: ['succeeded', 'failed'] }),
  expectations: jsonb().$type<Expectation[]>().notNull().default([]),
  checks: jsonb().$type<CheckTold[]>(),
  at: at('at').notNull().defaultNow(),
})

/** What the agent told of an expectation. */
type CheckTold = Omit<Check, 'label' | 'expression' | 'holds'> & { holds: boolean }

/** An output that stands in for a step in the test runs of one person. */
export const testPin = pgTable(
  'test_pin',
  {
    workflowId: uuid('workflow_id').notNull(),
    userId: uuid('user_id').notNull(),
    activityId: text('activity_id').notNull(),
    output: jsonb().$type<JsonObject>().notNull(),
    runId: uuid('run_id'),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workflowId, table.userId, table.activityId] })],
)
