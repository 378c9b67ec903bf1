import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'

/** The families in which activities are shown, as the catalogue has them. */
export const ACTIVITY_CATEGORIES = ['page', 'data', 'account', 'flow', 'report'] as const
/** What an activity may do to the world. */
export const SIDE_EFFECTS = ['none', 'read', 'write', 'irreversible'] as const

/** The id of an activity: a type of the catalogue, or the id of a custom one. */
export const activityId = z.string().min(1).max(64)

/** A parameter of a custom activity: an input of its body. */
export const parameterSchema = z.looseObject({
  name: z.string(),
  type: z.enum(['text', 'number', 'boolean', 'list']),
  required: z.boolean(),
})
export type Parameter = z.infer<typeof parameterSchema>

/** One step type. A built-in one has its words in the catalogue's texts, a custom one its own. */
export const activitySchema = z.object({
  id: activityId,
  /** The type that a placed step has. */
  type: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  /** Of a built-in one that of its schema, of a custom one its newest release; null before the first. */
  activityVersion: z.number().int().nullable(),
  category: z.enum(ACTIVITY_CATEGORIES),
  icon: z.string(),
  sideEffect: z.enum(SIDE_EFFECTS),
  inputSchema: z.record(z.string(), z.unknown()),
  parameters: z.array(parameterSchema),
  outputs: z.array(z.object({ name: z.string(), type: z.string() })),
  outcomes: z.array(z.string()),
  timeLimitSeconds: z.number(),
  enabled: z.boolean(),
  builtIn: z.boolean(),
  version: z.number().int(),
  updatedAt: timestamp.nullable(),
  can: z.array(z.string()),
  cannot: z.record(z.string(), z.string()).optional(),
})
export type ActivityRow = z.infer<typeof activitySchema>

/** How much an activity is used: by workflows that the reader may see, and in their runs of the last thirty days. */
export const activityFiguresSchema = z.object({
  id: activityId,
  workflows: z.number().int(),
  releases: z.number().int(),
  runs: z.number().int(),
  /** Of those runs, the ones that ended with a failure of this activity. */
  failed: z.number().int(),
})
export type ActivityFigures = z.infer<typeof activityFiguresSchema>

/** What somebody says of a custom activity; its steps and parameters are edited as a workflow's are. */
export const customFields = {
  name: z.string().trim().min(1).max(120),
  description: z.string().max(10_000),
  icon: z.string().max(60),
  category: z.enum(ACTIVITY_CATEGORIES),
}

/** What taking the newest version would change in a workflow's draft. */
export const activityUserSchema = z.object({
  workflowId: id,
  name: z.string(),
  version: z.number().int(),
  /** The versions that its releases hold. */
  released: z.array(z.number().int()),
  /** The steps of the draft that are of this activity. */
  steps: z.array(
    z.object({
      stepId: z.string(),
      name: z.string().nullable(),
      from: z.number().int(),
      /** Parameters that the newest version has and the step's does not, and the other way round. */
      added: z.array(parameterSchema),
      removed: z.array(z.string()),
      /** Parameters that the newest version requires and the step does not give: it would be invalid until it does. */
      missing: z.array(z.string()),
      /** Removed ones that the step gives a value, and results that the newest version gives no more and that other steps read. */
      inUse: z.array(z.string()),
    }),
  ),
  can: z.array(z.string()),
})
export type ActivityUser = z.infer<typeof activityUserSchema>
