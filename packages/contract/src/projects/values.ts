import { z } from 'zod'
import { timestamp } from '../core/record.ts'

/** The types of a project's variables. */
export const VARIABLE_TYPES = ['string', 'number', 'boolean', 'json'] as const
export type VariableType = (typeof VARIABLE_TYPES)[number]

/** How many variables a project may have, and how many bytes of JSON they may be together: each run takes them along. */
export const MAX_VARIABLES = 100
export const MAX_VARIABLES_BYTES = 32 * 1024
export const MAX_SECRETS = 100

/** A name that expressions use after a dot. */
export const valueName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'format' })
  .refine((name) => !['constructor', 'prototype', '__proto__'].includes(name), { error: 'format' })

/** Whether a value is of a variable's type. */
export function fitsType(type: VariableType, value: unknown): boolean {
  return type === 'json' || typeof value === type
}

/** A named value that expressions of the project's workflows read as `project.<name>`. */
export const projectVariableSchema = z
  .strictObject({
    name: valueName,
    type: z.enum(VARIABLE_TYPES),
    value: z.json(),
    description: z.string().max(500).default(''),
  })
  .refine(({ type, value }) => fitsType(type, value), { path: ['value'], error: 'wrong_type' })
export type ProjectVariable = z.infer<typeof projectVariableSchema>

/** All variables of a project: each name once, within what a run can take along. */
export const projectVariables = z
  .array(projectVariableSchema)
  .max(MAX_VARIABLES)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, { error: 'invalid' })
  .refine((list) => new TextEncoder().encode(JSON.stringify(list)).length <= MAX_VARIABLES_BYTES, {
    error: 'invalid',
  })

/** What a workflow that is made in the project begins with; what is left out is as everywhere. */
export const projectDefaults = z.strictObject({
  timeLimitSeconds: z.int().min(1).max(86_400).nullable().default(null),
  maxAttempts: z.int().min(1).max(10).nullable().default(null),
  traceOn: z.enum(['never', 'failure', 'always']).nullable().default(null),
})
export type ProjectDefaults = z.infer<typeof projectDefaults>

/** A secret of a project: that it is there, never what it is. */
export const projectSecretSchema = z.object({
  name: valueName,
  description: z.string(),
  updatedAt: timestamp,
  updatedByName: z.string().nullable(),
})
export type ProjectSecret = z.infer<typeof projectSecretSchema>

/** Names that expressions of the project's workflows can use. */
export const projectNamesSchema = z.object({
  variables: z.array(z.object({ name: z.string(), type: z.enum(VARIABLE_TYPES) })),
  secrets: z.array(z.string()),
})
export type ProjectNames = z.infer<typeof projectNamesSchema>
