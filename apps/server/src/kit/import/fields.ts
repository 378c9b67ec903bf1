import { z } from 'zod'
import { AppError } from '../app-error.ts'
import { momentOf } from './days.ts'
import type { RowFormat } from './detect.ts'
import { aliasesOf, plain } from './headers.ts'

/** One value that an upload can carry, and how its text is read. A dot leads into an object: `limits.perDay`. */
export interface ImportField {
  name: string
  required: boolean
  kind: 'text' | 'number' | 'boolean' | 'date' | 'list' | 'json'
  /** Never shown again, and never in an export. */
  secret: boolean
  /** The words that it takes, where there are only these. */
  options: string[]
}

/** The fields of a create schema, in its order. */
export function importFields(schema: z.ZodObject, secrets: readonly string[]): ImportField[] {
  const described = objectShape.parse(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
  )
  return fieldsOf(described, '', true).map((field) => ({ ...field, secret: secrets.includes(field.name) }))
}

interface Shape {
  type?: string | undefined
  format?: string | undefined
  properties?: Record<string, Shape> | undefined
  required?: string[] | undefined
  anyOf?: Shape[] | undefined
  enum?: unknown[] | undefined
}
const objectShape: z.ZodType<Shape> = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  get properties() {
    return z.record(z.string(), objectShape).optional()
  },
  required: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(objectShape).optional()
  },
  enum: z.array(z.unknown()).optional(),
})

function fieldsOf(shape: Shape, prefix: string, required: boolean): Omit<ImportField, 'secret'>[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, property]) => {
    const inner = property.anyOf?.find((option) => option.type !== 'null') ?? property
    const isRequired = required && (shape.required?.includes(name) ?? false)
    if (inner.type === 'object' && inner.properties && prefix === '')
      return fieldsOf(inner, `${name}.`, isRequired)
    const options = (inner.enum ?? []).filter((one) => typeof one === 'string')
    return [{ name: prefix + name, required: isRequired, kind: kindOf(inner), options }]
  })
}

function kindOf(shape: Shape): ImportField['kind'] {
  switch (shape.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return 'list'
    case 'object':
      return 'json'
    default:
      return shape.format === 'date-time' ? 'date' : 'text'
  }
}

/** Which column each field is taken from, by their headers, which may be any that it is known by. */
export function suggestMapping(
  fields: readonly ImportField[],
  columns: readonly string[],
): Record<string, string> {
  const free = new Map<string, string>()
  for (const column of columns) if (!free.has(plain(column))) free.set(plain(column), column)
  const mapping: Record<string, string> = {}
  const take = (field: ImportField, header: string): void => {
    const column = free.get(plain(header))
    if (column === undefined || mapping[field.name] !== undefined) return
    mapping[field.name] = column
    free.delete(plain(header))
  }
  for (const field of fields) take(field, field.name)
  for (const field of fields) for (const synonym of aliasesOf(field.name)) take(field, synonym)
  return mapping
}

/** Reads the caller's own mapping: known fields only; an empty column leaves a field out. */
export function readMapping(text: string, fields: readonly ImportField[]): Record<string, string> {
  const parsed = mappingText.safeParse(text)
  if (!parsed.success) throw new AppError('import.bad_mapping', { column: '' })
  const known = new Set(fields.map((field) => field.name))
  const entries = Object.entries(parsed.data).filter(([, column]) => column !== '')
  const unknown = entries.find(([name]) => !known.has(name))
  if (unknown) throw new AppError('import.bad_mapping', { column: unknown[0] })
  return Object.fromEntries(entries)
}
const mappingText = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.record(z.string(), z.string()))

/** Makes the input of a create call from a row's texts; days and times are those of the zone. What is empty is left out, so that defaults hold. */
export function rowReader(
  fields: readonly ImportField[],
  mapping: Readonly<Record<string, string>>,
  columns: readonly string[],
  format: RowFormat,
  zone: string,
): (values: readonly string[]) => Record<string, unknown> {
  const taken = fields.flatMap((field) => {
    const index = columns.indexOf(mapping[field.name] ?? '')
    return index === -1 ? [] : [{ field, index, path: field.name.split('.') }]
  })
  return (values) => {
    const input: Record<string, unknown> = {}
    for (const { field, index, path } of taken) {
      const text = values[index] ?? ''
      const own = (format === 'csv' || format === 'xlsx') && !field.secret ? unprotected(text) : text
      if (own.trim() !== '') put(input, path, valueOf(field, own, zone))
    }
    return input
  }
}

function put(input: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', second] = path
  if (second === undefined) {
    input[first] = value
    return
  }
  const inner = input[first]
  input[first] = { ...(typeof inner === 'object' ? inner : {}), [second]: value }
}

/** A text that does not fit stays as it is; the schema then says what is wrong with it. */
function valueOf(field: ImportField, text: string, zone: string): unknown {
  const bare = text.trim()
  switch (field.kind) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(bare) ? Number(bare) : bare
    case 'boolean':
      if (/^(true|yes|y|1|oui|o|vrai|نعم)$/i.test(bare)) return true
      return /^(false|no|n|0|non|faux|لا)$/i.test(bare) ? false : bare
    case 'date':
      return momentOf(bare, zone) ?? bare
    case 'list':
      return listOf(bare)
    case 'json':
      return jsonOr(bare)
    default:
      return text
  }
}

/** A list is JSON, or parts between semicolons, commas, bars or line breaks. */
function listOf(text: string): unknown {
  const json = text.startsWith('[') ? jsonOr(text) : undefined
  if (Array.isArray(json)) return json
  return text
    .split(/[;,|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Takes off the apostrophe that our own exports put before a text that a spreadsheet would run as a formula. */
function unprotected(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}
