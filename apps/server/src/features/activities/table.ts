import { boolean, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** What was changed of an activity: one without a row is as the program has it. */
export const activitySetting = pgTable('activity_setting', {
  /** A type of the catalogue, or the id of a custom activity. */
  activity: text().primaryKey(),
  enabled: boolean().notNull().default(true),
  version: integer().notNull().default(2),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  updatedBy: uuid('updated_by'),
})

/** The steps of each release; a trigger writes them with it. */
export const releaseStep = pgTable(
  'release_step',
  {
    workflowId: uuid('workflow_id').notNull(),
    release: integer().notNull(),
    stepId: text('step_id').notNull(),
    activity: text().notNull(),
    called: uuid(),
    calledRelease: integer('called_release'),
  },
  (table) => [primaryKey({ columns: [table.workflowId, table.release, table.stepId] })],
)
