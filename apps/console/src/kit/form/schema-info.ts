import { z } from 'zod'
import { getAt, type Values } from './paths.ts'

/** What a form can know of a field from its schema. */
export interface FieldInfo {
  required: boolean
  nullable: boolean
  options?: readonly string[]
  min?: number
  max?: number
  integer?: boolean
}

/** A wrong field, found here or by the server. */
export interface FormError {
  path: string
  code: string
  params?: Record<string, string | number | boolean | null>
  message?: string
}

function unwrap(schema: z.ZodType): { inner: z.ZodType; required: boolean; nullable: boolean } {
  let inner: z.ZodType = schema
  let required = true
  let nullable = false
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault)
      required = false
    else if (inner instanceof z.ZodNullable) {
      required = false
      nullable = true
    } else if (inner instanceof z.ZodPipe) {
      inner = inner.in as z.ZodType
      continue
    } else return { inner, required, nullable }
    inner = inner.unwrap() as z.ZodType
  }
}

/** The schema of the field at a dotted path, or undefined for one that the schema does not name. */
export function schemaAt(schema: z.ZodType, path: string): z.ZodType | undefined {
  let current: z.ZodType | undefined = schema
  for (const part of path.split('.')) {
    const { inner }: { inner: z.ZodType } = unwrap(current)
    if (inner instanceof z.ZodObject) current = inner.shape[part] as z.ZodType | undefined
    else if (inner instanceof z.ZodArray) current = inner.element as z.ZodType
    else return undefined
    if (!current) return undefined
  }
  return current
}

/** Whether a field is of a group that may be left out as a whole. */
function mayBeLeftOut(schema: z.ZodType, path: string): boolean {
  const parts = path.split('.')
  return parts.slice(1).some((_, at) => {
    const group = schemaAt(schema, parts.slice(0, at + 1).join('.'))
    const known = group && unwrap(group)
    return known?.nullable === true && known.inner instanceof z.ZodObject
  })
}

/** What the schema says of a field. */
export function fieldInfo(schema: z.ZodType | undefined, path: string): FieldInfo {
  const found = schema && schemaAt(schema, path)
  if (!found) return { required: false, nullable: false }
  const { inner, required, nullable } = unwrap(found)
  const info: FieldInfo = { required: required && !mayBeLeftOut(schema, path), nullable }
  if (inner instanceof z.ZodEnum) info.options = inner.options.map(String)
  if (inner instanceof z.ZodNumber) {
    if (inner.minValue !== null && Number.isFinite(inner.minValue)) info.min = inner.minValue
    if (
      inner.maxValue !== null &&
      Number.isFinite(inner.maxValue) &&
      inner.maxValue < Number.MAX_SAFE_INTEGER
    )
      info.max = inner.maxValue
    info.integer = inner.isInt
    if (info.min !== undefined && info.min <= Number.MIN_SAFE_INTEGER) delete info.min
  }
  if (inner instanceof z.ZodArray && inner.element instanceof z.ZodEnum)
    info.options = inner.element.options.map(String)
  // An empty text is no answer where at least one sign is asked for; one that may be empty is not required.
  if (inner instanceof z.ZodString && !(inner.minLength !== null && inner.minLength > 0) && !inner.format)
    info.required = false
  if (inner instanceof z.ZodArray || inner instanceof z.ZodBoolean) info.required = false
  return info
}

/** The defaults that a schema gives, so that a new form begins with them. */
export function defaultsOf(schema: z.ZodType | undefined): Values {
  if (!(schema instanceof z.ZodObject)) return {}
  const values: Values = {}
  for (const [name, field] of Object.entries(schema.shape)) {
    const parsed = (field as z.ZodType).safeParse(undefined)
    if (parsed.success && parsed.data !== undefined) values[name] = parsed.data
  }
  return values
}

/** Whether the schema names this field. */
export function hasField(schema: z.ZodType | undefined, name: string): boolean {
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name)
}

/** All wrong fields of some values, with the codes that the server would use. */
export function validate(schema: z.ZodType | undefined, values: Values): FormError[] {
  const parsed = schema?.safeParse(values)
  if (!parsed || parsed.success) return []
  const errors = parsed.error.issues.flatMap((issue) => describeIssue(issue, values))
  return errors.filter((error, at) => errors.findIndex(({ path }) => path === error.path) === at)
}

function describeIssue(issue: z.core.$ZodIssue, values: unknown): FormError[] {
  const path = issue.path.map(String).join('.')
  const at = (code: string, params?: FormError['params']): FormError[] => [
    { path, code, ...(params ? { params } : {}) },
  ]
  const value = getAt(values, path)
  const missing = value === undefined || value === '' || value === null
  switch (issue.code) {
    case 'invalid_type':
      return at(missing ? 'required' : 'type')
    case 'invalid_value':
      return at(missing ? 'required' : 'option')
    case 'too_small': {
      const sized = ['string', 'array', 'set', 'map', 'file'].includes(issue.origin)
      if (missing || (Array.isArray(value) && value.length === 0)) return at('required')
      return at(sized ? 'too_short' : 'too_small', { minimum: Number(issue.minimum) })
    }
    case 'too_big': {
      const sized = ['string', 'array', 'set', 'map', 'file'].includes(issue.origin)
      return at(sized ? 'too_long' : 'too_big', { maximum: Number(issue.maximum), of: issue.origin })
    }
    case 'invalid_format':
      if (missing) return at('required')
      return at(issue.format === 'email' ? 'email' : issue.format === 'url' ? 'url' : 'format')
    case 'invalid_union':
      return missing ? at('required') : at('invalid')
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, code: 'unknown' }))
    case 'custom':
      return at(/^[a-z_.]+$/.test(issue.message) ? issue.message : 'invalid')
    default:
      return at('invalid')
  }
}
