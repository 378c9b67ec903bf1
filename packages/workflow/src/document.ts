import { z } from 'zod'
import { byteLength, findJsonProblem } from './json.ts'
import type { Json, JsonObject } from './json.ts'

/*
 * The workflow document is a flat list of activities and a flat list of connections, read as a tree:
 *
 * - `start` names the first activity. Every other activity has exactly one incoming connection, and no connection leads
 *   back: there are no joins and no cycles, so a loop exists only as a container with a bound.
 * - A connection leaves an activity by a named outcome, at most one per outcome. Every activity but `finish` has the
 *   outcome `done`, which leads to what comes next in the same chain.
 * - A container has further outcomes that lead into its bodies: `body` (for each, repeat until), `true` and `false`
 *   (condition), `case:<key>` and `default` (switch), `branch:<key>` (parallel), `try`, `catch` and `finally`
 *   (try/catch). A body is a chain; it ends where there is no further connection, and the container decides what follows:
 *   another round, or its own `done`. Branches of a condition come together again at that `done`.
 *
 * So one text holds for everybody: the outline shows a chain as rows and a body as indented rows, a canvas draws the same
 * connections as lines, and the executor walks chains and recurses into bodies.
 */

/** How large a document may grow. */
export const DOCUMENT_LIMITS = {
  activities: 500,
  bytes: 512 * 1024,
  /** Levels of JSON nesting, state objects included. */
  depth: 32,
  /** Containers within containers. */
  nesting: 16,
  inputs: 100,
  variables: 100,
} as const

/** A name that an expression can use after a dot. */
export const identifierSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'identifier')
  .refine((name) => !['constructor', 'prototype', '__proto__'].includes(name), 'reserved')

/** The id of an activity: a slug that expressions use as `steps.<id>`. */
export const activityIdSchema = z
  .string()
  .min(1)
  .max(48)
  .regex(/^[a-z][a-z0-9_]*$/, 'activity id')
  .refine((id) => !['constructor', 'prototype'].includes(id), 'reserved')

/** Any JSON value. */
export const jsonSchema: z.ZodType<Json> = z.json()
/** Any JSON object. */
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json())

/** The types that inputs and variables can have. */
export const valueTypes = ['text', 'number', 'boolean', 'list'] as const
/** The type of an input or a variable. */
export type ValueType = (typeof valueTypes)[number]

/** What a run is given from outside. A secret is text that is never stored in the document and is masked in logs. */
export const workflowInputSchema = z.strictObject({
  name: identifierSchema,
  type: z.enum(valueTypes),
  label: z.string().max(120).optional(),
  help: z.string().max(500).optional(),
  required: z.boolean().default(false),
  secret: z.boolean().optional(),
  default: jsonSchema.optional(),
})
/** What a run is given from outside. */
export type WorkflowInput = z.infer<typeof workflowInputSchema>

/** A value that steps of a run may read and set. */
export const workflowVariableSchema = z.strictObject({
  name: identifierSchema,
  type: z.enum(valueTypes),
  default: jsonSchema.optional(),
})
/** A value that steps of a run may read and set. */
export type WorkflowVariable = z.infer<typeof workflowVariableSchema>

/** How often a failed step is tried, and how long it waits between. */
export const retrySchema = z.strictObject({
  attempts: z.int().min(1).max(10),
  delaySeconds: z.number().min(0).max(3600),
})
/** How often a failed step is tried, and how long it waits between. */
export type Retry = z.infer<typeof retrySchema>

const activityFields = {
  id: activityIdSchema,
  type: z.string().min(1).max(64),
  /** The version of the activity type's schema that `state` was written for. */
  typeVersion: z.int().min(1).default(1),
  name: z.string().max(120).optional(),
  timeLimitSeconds: z.number().positive().max(86_400).optional(),
  retry: retrySchema.optional(),
  disabled: z.boolean().optional(),
  /** Where a canvas shows the step; the outline ignores it. */
  position: z.strictObject({ x: z.number(), y: z.number() }).optional(),
}

/** One placed step. */
export const activitySchema = z.strictObject({ ...activityFields, state: jsonObjectSchema })
/** One placed step. */
export type Activity = z.infer<typeof activitySchema>

/** A line from one step's outcome to the step it leads to. */
export const connectionSchema = z.strictObject({
  from: activityIdSchema,
  outcome: z.string().min(1).max(80),
  to: activityIdSchema,
})
/** A line from one step's outcome to the step it leads to. */
export type Connection = z.infer<typeof connectionSchema>

/** When the browser keeps a trace of a run. */
export const traceModes = ['never', 'failure', 'always'] as const

/** What holds for a whole run. */
export const workflowSettingsSchema = z.strictObject({
  timeLimitSeconds: z.int().min(1).max(86_400).default(900),
  maxAttempts: z.int().min(1).max(10).default(1),
  traceOn: z.enum(traceModes).default('failure'),
})
/** What holds for a whole run. */
export type WorkflowSettings = z.infer<typeof workflowSettingsSchema>

const documentFields = {
  schemaVersion: z.literal(1),
  inputs: z.array(workflowInputSchema).max(DOCUMENT_LIMITS.inputs),
  variables: z.array(workflowVariableSchema).max(DOCUMENT_LIMITS.variables),
  start: activityIdSchema.nullable(),
  connections: z.array(connectionSchema).max(DOCUMENT_LIMITS.activities * 4),
  settings: workflowSettingsSchema,
}

/** The shape of a document; size, depth and keys are checked by `parseDocument` before it. */
export const workflowDocumentSchema = z.strictObject({
  ...documentFields,
  activities: z.array(activitySchema).max(DOCUMENT_LIMITS.activities),
})
/** A workflow as it is stored, validated and executed. */
export type WorkflowDocument = z.infer<typeof workflowDocumentSchema>

/** One placed step on the wire: its state is base64 JSON. */
export const wireActivitySchema = z.strictObject({
  ...activityFields,
  state: z.string().max(Math.ceil((DOCUMENT_LIMITS.bytes * 4) / 3) + 4),
})
/** One placed step on the wire. */
export type WireActivity = z.infer<typeof wireActivitySchema>

/** A document on the wire. */
export const wireDocumentSchema = z.strictObject({
  ...documentFields,
  activities: z.array(wireActivitySchema).max(DOCUMENT_LIMITS.activities),
})
/** A document on the wire. */
export type WireDocument = z.infer<typeof wireDocumentSchema>

/** One thing that is wrong with a document: a stable code, its parameters, and where it is. */
export interface DocumentProblem {
  code: string
  path: string
  params: Record<string, string | number | boolean | null>
}

/** A value, or everything that is wrong with it. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: DocumentProblem[] }

/** The problems of a zod failure, one per issue. */
export function problemsOfZod(error: z.ZodError, prefix = ''): DocumentProblem[] {
  return error.issues.map((issue) => ({
    code: `schema.${issue.code}`,
    path: [prefix, ...issue.path.map(String)].filter((part) => part !== '').join('.'),
    params: { detail: issue.message },
  }))
}

/** Reads a stored document: limits first, then the schema. */
export function parseDocument(input: unknown): Parsed<WorkflowDocument> {
  const json = findJsonProblem(input, DOCUMENT_LIMITS.depth)
  if (json) {
    const params: DocumentProblem['params'] =
      json.code === 'json.too_deep' ? { max: DOCUMENT_LIMITS.depth } : {}
    return { ok: false, problems: [{ code: json.code, path: json.path, params }] }
  }
  const bytes = byteLength(JSON.stringify(input) ?? '')
  if (bytes > DOCUMENT_LIMITS.bytes) {
    const params = { bytes, max: DOCUMENT_LIMITS.bytes }
    return { ok: false, problems: [{ code: 'workflow.too_large', path: '', params }] }
  }
  const parsed = workflowDocumentSchema.safeParse(input)
  if (!parsed.success) return { ok: false, problems: problemsOfZod(parsed.error) }
  return { ok: true, value: parsed.data }
}

/** A document without any step. */
export function emptyDocument(): WorkflowDocument {
  return {
    schemaVersion: 1,
    inputs: [],
    variables: [],
    start: null,
    activities: [],
    connections: [],
    settings: workflowSettingsSchema.parse({}),
  }
}
