import { z } from 'zod'
import { baseRecord } from '../core/record.ts'
import { projectDefaults, projectVariables } from './values.ts'

export const PROJECT_STATUSES = ['active', 'frozen', 'archived'] as const

const plain = {
  name: z.string().trim().min(1).max(120),
  description: z.string().max(10_000),
  colour: z.string().regex(/^#[0-9a-fA-F]{6}$/),
}
/** A project as a list shows it. */
export const projectRowSchema = z.object({
  ...baseRecord,
  ...plain,
  status: z.enum(PROJECT_STATUSES),
  workflowCount: z.number().int(),
  campaignCount: z.number().int(),
})
export type ProjectRow = z.infer<typeof projectRowSchema>
/** A project with what it gives to its workflows. */
export const projectSchema = projectRowSchema.extend({
  variables: projectVariables,
  defaults: projectDefaults,
})
export type Project = z.infer<typeof projectSchema>
export const projectCreate = {
  ...plain,
  description: plain.description.default(''),
  colour: plain.colour.default('#0db976'),
}
export const projectUpdate = {
  ...z.object(plain).partial().shape,
  variables: projectVariables.optional(),
  defaults: projectDefaults.optional(),
  status: z.enum(PROJECT_STATUSES).optional(),
}
