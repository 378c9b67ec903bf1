import { z } from 'zod'
import { timestamp } from '../core/record.ts'

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
