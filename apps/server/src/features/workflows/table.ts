import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { ACTIVITY_CATEGORIES } from '@weft/contract/activities/schema'
import { WORKFLOW_KINDS } from '@weft/contract/workflows/schema'
import type { ReleaseTests } from '@weft/contract/workflow-tests/standing'
import type { Capabilities } from '@weft/workflow/capabilities'
import type { WorkflowDocument } from '@weft/workflow/document'
import { recordColumns } from '../../kit/record.ts'

/** A workflow with its draft; `draftHash` against `publishedHash` tells whether something is unpublished. */
export const workflow = pgTable('workflow', {
  ...recordColumns(),
  /** The body of a custom activity is edited and published as a workflow is, but it is none. */
  kind: text({ enum: WORKFLOW_KINDS }).notNull().default('workflow'),
  /** Only of a custom activity. */
  category: text({ enum: ACTIVITY_CATEGORIES }),
  name: text().notNull(),
  description: text().notNull().default(''),
  icon: text().notNull().default('route'),
  projectId: uuid('project_id'),
  /** Names with `/` between them; empty at the top. */
  folder: text().notNull().default(''),
  draft: jsonb().$type<WorkflowDocument>().notNull(),
  draftHash: text('draft_hash').notNull(),
  /** Who made the draft as it is. */
  draftBy: uuid('draft_by'),
  activityCount: integer('activity_count').notNull().default(0),
  publishedRelease: integer('published_release'),
  publishedHash: text('published_hash'),
  /** Whether a release needs every test to have passed on its draft. */
  testsMustPass: boolean('tests_must_pass').notNull().default(false),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type WorkflowRecord = typeof workflow.$inferSelect

/** A numbered release; a trigger keeps it as it is. */
export const workflowRelease = pgTable('workflow_release', {
  id: uuid().primaryKey(),
  workflowId: uuid('workflow_id').notNull(),
  number: integer().notNull(),
  document: jsonb().$type<WorkflowDocument>().notNull(),
  hash: text().notNull(),
  changelog: text().notNull().default(''),
  capabilities: jsonb().$type<Capabilities>().notNull(),
  /** How the tests stood when it was made; null where there were none. */
  tests: jsonb().$type<ReleaseTests>(),
  /** Not offered since then. */
  withdrawnAt: timestamp('withdrawn_at', { withTimezone: true, precision: 3 }),
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  createdBy: uuid('created_by'),
})
export type ReleaseRow = typeof workflowRelease.$inferSelect
