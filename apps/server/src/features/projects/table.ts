import { sql } from 'drizzle-orm'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { PROJECT_STATUSES } from '@weft/contract/projects/schema'
import { recordColumns } from '../../kit/record.ts'

/** A place that keeps workflows and campaigns together. */
export const project = pgTable('project', {
  ...recordColumns(),
  name: text().notNull(),
  description: text().notNull().default(''),
  colour: text().notNull().default('#0db976'),
  status: text({ enum: PROJECT_STATUSES }).notNull().default('active'),
  search: text()
    .notNull()
    .generatedAlwaysAs(sql``),
})
export type ProjectRow = typeof project.$inferSelect
