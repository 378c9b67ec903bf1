import { z } from 'zod'

/** Every code that any feature may answer with, and its HTTP status. A feature's own codes are in its `errors.ts`. */
export const CORE_ERRORS = {
  'request.malformed': 400,
  'request.unsupported_type': 415,
  'request.too_large': 413,
  'request.invalid': 422,
  'request.idempotency_mismatch': 422,
  'request.in_progress': 409,
  'request.too_many': 429,
  'request.timeout': 504,
  'auth.required': 401,
  'auth.ended': 401,
  'access.denied': 403,
  'record.not_found': 404,
  'record.stale': 409,
  'record.duplicate': 409,
  'record.in_use': 409,
  'record.wrong_state': 409,
  'record.too_many_tags': 409,
  'link.not_found': 422,
  'route.not_found': 404,
  'system.maintenance': 503,
  'system.read_only': 503,
  'system.database_unavailable': 503,
  'system.stopping': 503,
  'system.failed': 500,
} as const

export type ErrorParams = Record<string, string | number | boolean | null>

/** What can be wrong with a field. A schema's own check (`refine`) may give another code as its message. */
export const FIELD_CODES = [
  'required',
  'unknown',
  'type',
  'format',
  'option',
  'too_short',
  'too_long',
  'too_small',
  'too_big',
  'not_same',
  'invalid',
] as const
export type FieldCode = (typeof FIELD_CODES)[number]

/** One wrong field of an input: where it is, a code for programs, a plain English message. */
export const fieldErrorSchema = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
})
export type FieldError = z.infer<typeof fieldErrorSchema>

/** The body of every failure. */
export const errorBodySchema = z.object({
  status: z.literal('Error'),
  code: z.string(),
  message: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  errors: z.array(fieldErrorSchema).optional(),
  current: z.unknown().optional(),
  requestId: z.string().optional(),
})
export type ErrorBody = z.infer<typeof errorBodySchema>
