import { z } from 'zod'
import { jsonObjectSchema, workflowDocumentSchema } from '../document.ts'
import { ERROR_CLASSES } from '../errors.ts'
import type { ErrorClass } from '../errors.ts'
import type { HeldState } from './hold.ts'

const errorClass = z.string().refine((name): name is ErrorClass => Object.hasOwn(ERROR_CLASSES, name))
const errorSchema = z.object({
  class: errorClass,
  message: z.string(),
  params: jsonObjectSchema,
  stepId: z.string().nullable(),
  uncertain: z.boolean(),
})
const values = { vars: jsonObjectSchema, steps: z.record(z.string(), jsonObjectSchema) }

/**
 * Where a held run stands, as it comes back from where it was kept. What it does not know it refuses: going on without it
 * would leave work out.
 */
export const heldStateSchema: z.ZodType<HeldState> = z.strictObject({
  segments: z.array(
    z.strictObject({
      stepId: z.string(),
      outcome: z.string(),
      index: z.int().optional(),
      input: jsonObjectSchema,
      spentMs: z.number(),
      error: errorSchema.optional(),
      call: z.object({ ...values, document: workflowDocumentSchema.optional() }).optional(),
    }),
  ),
  stepId: z.union([z.string().nullable(), z.strictObject({ id: z.string(), attempt: z.int().min(2) })]),
  ...values,
  spentMs: z.number(),
  started: z.int(),
})
