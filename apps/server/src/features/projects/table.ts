import { sql } from 'drizzle-orm'
import { jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { MEMBER_ROLES } from '@weft/contract/projects/members'
import { PROJECT_STATUSES } from '@weft/contract/projects/schema'
import type { ProjectDefaults, ProjectVariable } from '@weft/contract/projects/values'
import { recordColumns } from '../../kit/record.ts'

/** A place that keeps workflows and campaigns together. */
export const project = pgTable('project', {
  ...recordColumns(),
  name: text().notNull(),
  description: text().notNull().default(''),
  colour: text().notNull().default('#0db976'),
  status: text({ enum: PROJECT_STATUSES }).notNull().default('active'),
  variables: jsonb().$type<ProjectVariable[]>().notNull().default([]),
  defaults: jsonb().$type<Partial<ProjectDefaults>>().notNull().default({}),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type ProjectRow = typeof project.$inferSelect

/** A value that runs use and nobody reads back, sealed. */
export const projectSecret = pgTable('project_secret', {
  id: uuid().primaryKey(),
  projectId: uuid('project_id').notNull(),
  name: text().notNull(),
  description: text().notNull().default(''),
  value: text().notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedBy: uuid('updated_by'),
})

/** The variables of a run's project as they were when the run began. */
export const runProject = pgTable('run_project', {
  runId: uuid('run_id').primaryKey(),
  projectId: uuid('project_id').notNull(),
  name: text().notNull(),
  variables: jsonb().$type<Record<string, unknown>>().notNull(),
})

/** Somebody with a role within a project. */
export const projectMember = pgTable(
  'project_member',
  {
    projectId: uuid('project_id').notNull(),
    userId: uuid('user_id').notNull(),
    role: text({ enum: MEMBER_ROLES }).notNull(),
    addedAt: timestamp('added_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
    addedBy: uuid('added_by'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.userId] })],
)
