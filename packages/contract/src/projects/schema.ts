import { z } from 'zod'
import { baseRecord } from '../core/record.ts'

export const PROJECT_STATUSES = ['active', 'frozen', 'archived'] as const

const plain = {
  name: z.string().trim().min(1).max(120),
  description: z.string().max(10_000),
  colour: z.string().regex(/^#[0-9a-fA-F]{6}$/),
}
export const projectSchema = z.object({
  ...baseRecord,
  ...plain,
  status: z.enum(PROJECT_STATUSES),
  workflowCount: z.number().int(),
  campaignCount: z.number().int(),
})
export type Project = z.infer<typeof projectSchema>
export const projectCreate = {
  ...plain,
  description: plain.description.default(''),
  colour: plain.colour.default('#0db976'),
}
export const projectUpdate = {
  ...z.object(plain).partial().shape,
  status: z.enum(PROJECT_STATUSES).optional(),
}
