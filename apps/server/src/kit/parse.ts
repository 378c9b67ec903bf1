import type { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { pathNames } from '@weft/contract/core/endpoint'
import type { FieldError } from '@weft/contract/core/errors'
import { isStorable } from '@weft/workflow/json'
import { AppError } from './app-error.ts'

/** The parts of a request that hold its input. */
export interface RawInput {
  params: Readonly<Record<string, unknown>>
  query: Readonly<Record<string, unknown>>
  body: unknown
}

/** Puts a request's parts together into the endpoint's one flat input and checks it; 422 names every wrong field. */
export function parseInput(endpoint: Endpoint, raw: RawInput): Record<string, unknown> {
  const input = flatInput(endpoint, raw)
  const unstorable = unstorableText(input)
  if (unstorable.length > 0) throw invalid(unstorable)
  if (!endpoint.input) {
    const extra = Object.keys(input)
    if (extra.length > 0) throw invalid(extra.map(unknownField))
    return {}
  }
  const parsed = endpoint.input.safeParse(input)
  if (!parsed.success) throw invalid(fieldErrors(parsed.error, input))
  return parsed.data
}

function flatInput(endpoint: Endpoint, raw: RawInput): Record<string, unknown> {
  const inPath = pathNames(endpoint.path)
  const readsBody = endpoint.method !== 'GET' && !endpoint.rawBody
  const body = readsBody ? bodyObject(raw.body) : {}
  const mayQuery = readsBody ? (endpoint.inQuery ?? []) : undefined
  const wrong = [
    ...Object.keys(raw.query).filter((name) => inPath.includes(name) || mayQuery?.includes(name) === false),
    ...Object.keys(body).filter((name) => inPath.includes(name) || mayQuery?.includes(name) === true),
  ]
  if (wrong.length > 0) throw invalid(wrong.map(unknownField))
  return { ...body, ...raw.query, ...raw.params }
}

function bodyObject(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw new AppError('request.malformed')
  return { ...body }
}

/** More errors than this help nobody, and a hostile input could have a million. */
const ERRORS_MAX = 100

function invalid(errors: FieldError[]): AppError {
  return new AppError('request.invalid', {}, { errors: errors.slice(0, ERRORS_MAX) })
}

/** Text that neither the database nor UTF-8 can hold: a NUL, or half of a surrogate pair; in values and in names. */
function unstorableText(input: Readonly<Record<string, unknown>>): FieldError[] {
  const errors: FieldError[] = []
  const waiting: { value: unknown; path: string }[] = [{ value: input, path: '' }]
  for (let at = waiting.pop(); at && errors.length < ERRORS_MAX; at = waiting.pop()) {
    const { value, path } = at
    if (typeof value === 'string' && !isStorable(value)) errors.push(unstorable(path))
    if (typeof value !== 'object' || value === null) continue
    for (const [key, item] of Object.entries(value)) {
      const inner = path ? `${path}.${key}` : key
      if (!isStorable(key)) errors.push(unstorable(inner))
      if (typeof item === 'string' || typeof item === 'object') waiting.push({ value: item, path: inner })
    }
  }
  return errors
}

const unstorable = (path: string): FieldError => ({
  path,
  code: 'format',
  message: 'Holds characters that cannot be stored',
})

const unknownField = (path: string): FieldError => ({ path, code: 'unknown', message: 'Unknown field' })

/** The wrong fields of a failed parse, each with its path, a code for programs and an English message. */
export function fieldErrors(error: z.ZodError, input: unknown): FieldError[] {
  return error.issues.flatMap((issue) => issueErrors(issue, input))
}

function issueErrors(issue: z.core.$ZodIssue, input: unknown): FieldError[] {
  const path = issue.path.map(String).join('.')
  const at = (code: string, params?: FieldError['params']): FieldError[] => [
    { path, code, message: issue.message, ...(params ? { params } : {}) },
  ]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(path ? `${path}.${key}` : key))
    case 'invalid_type':
      return valueAt(input, issue.path) === undefined
        ? [{ path, code: 'required', message: 'Required' }]
        : at('type', { expected: issue.expected })
    case 'too_small':
      return at(isSized(issue.origin) ? 'too_short' : 'too_small', { minimum: Number(issue.minimum) })
    case 'too_big':
      return isSized(issue.origin)
        ? at('too_long', { maximum: Number(issue.maximum), of: issue.origin })
        : at('too_big', { maximum: Number(issue.maximum) })
    case 'invalid_format':
      return at('format', { format: issue.format })
    case 'invalid_value':
      return valueAt(input, issue.path) === undefined
        ? [{ path, code: 'required', message: 'Required' }]
        : at('option', { options: issue.values.map(String).join(', ') })
    case 'custom':
      return [
        { path, code: /^[a-z_.]+$/i.test(issue.message) ? issue.message : 'invalid', message: issue.message },
      ]
    case 'invalid_union':
      return unionErrors(issue, path, input)
    default:
      return at('invalid')
  }
}

/** A union that failed: the errors of the option that came nearest, so that the person sees the field and not "union". */
function unionErrors(issue: z.core.$ZodIssueInvalidUnion, path: string, input: unknown): FieldError[] {
  const value = valueAt(input, issue.path)
  if (value === undefined) return [{ path, code: 'required', message: 'Required' }]
  const nearest = issue.errors
    .map((issues) => issues.flatMap((inner) => issueErrors(inner, value)))
    .sort((a, b) => a.length - b.length)
    .find((errors) => errors.some((error) => error.path !== ''))
  if (!nearest) return [{ path, code: 'invalid', message: issue.message }]
  return nearest.map((error) => ({ ...error, path: [path, error.path].filter(Boolean).join('.') }))
}

function isSized(origin: string): boolean {
  return origin === 'string' || origin === 'array' || origin === 'set' || origin === 'file'
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = Reflect.get(at, key)
  }
  return at
}
