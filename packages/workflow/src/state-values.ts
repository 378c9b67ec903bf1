import type { FieldDescriptor } from './catalogue/field.ts'
import { bareExpression, hasTemplate, parseTemplate } from './expressions.ts'
import type { TemplatePart } from './expressions.ts'
import { isJsonObject } from './json.ts'
import type { Json, JsonObject } from './json.ts'

/** Whether a form shows a field, given the values of the others. */
export function isShown(field: FieldDescriptor, fields: FieldDescriptor[], state: JsonObject): boolean {
  if (!field.when) return true
  const { field: name, is } = field.when
  const other = state[name] ?? fields.find((candidate) => candidate.name === name)?.default
  return typeof other === 'string' && is.includes(other)
}

/** Whether an author left a field empty. */
export function isEmpty(value: Json | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}

/** One text of a state that has to be evaluated. */
export interface DynamicValue {
  /** Where it stands in the state, such as `targets.0.name`. */
  path: string
  source: { kind: 'expression'; expression: string } | { kind: 'template'; parts: TemplatePart[] }
}

/** A text of a state that looks like a template and is not one. */
export interface BrokenTemplate {
  path: string
  code: 'expression.unclosed' | 'expression.empty'
}

/** A state read by its fields: what is literal is in place, what is not waits to be evaluated and put in place. */
export interface ReadState {
  values: JsonObject
  dynamic: (DynamicValue & { put: (value: Json) => void })[]
  broken: BrokenTemplate[]
}

/** Reads a state by the fields of its type: hidden and empty fields are left out. */
export function readState(fields: FieldDescriptor[], state: JsonObject): ReadState {
  const read: ReadState = { values: {}, dynamic: [], broken: [] }
  readInto(read, fields, state, read.values, '')
  return read
}

function readInto(
  read: ReadState,
  fields: FieldDescriptor[],
  state: JsonObject,
  values: JsonObject,
  prefix: string,
): void {
  for (const field of fields) {
    const raw = state[field.name]
    const emptyText = raw === '' && field.mayBeEmpty === true
    if ((isEmpty(raw) && !emptyText) || !isShown(field, fields, state)) continue
    readField(read, field, raw ?? '', values, prefix === '' ? field.name : `${prefix}.${field.name}`)
  }
}

function readField(
  read: ReadState,
  field: FieldDescriptor,
  raw: Json,
  values: JsonObject,
  path: string,
): void {
  const put = (value: Json) => {
    values[field.name] = value
  }
  switch (field.kind) {
    case 'template':
    case 'code':
      return readText(read, raw, path, field.keepType ?? false, put)
    case 'expression':
      if (typeof raw !== 'string') return put(raw)
      read.dynamic.push({ path, source: { kind: 'expression', expression: bareExpression(raw) }, put })
      return undefined
    case 'number':
    case 'duration':
      return readText(read, raw, path, true, (value) => put(toNumber(value)))
    case 'targets':
      return readTargets(read, raw, path, put)
    case 'keyvalue':
      return readPairs(read, field, raw, path, put)
    case 'list': {
      if (!Array.isArray(raw)) return put(raw)
      const rows: Json[] = []
      raw.forEach((row, index) => {
        const inner: JsonObject = {}
        rows.push(inner)
        if (isJsonObject(row)) readInto(read, field.items ?? [], row, inner, `${path}.${index}`)
      })
      return put(rows)
    }
    default:
      return put(raw)
  }
}

/** A number that an expression gave as text is meant as a number. */
function toNumber(value: Json): Json {
  if (typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

function readText(
  read: ReadState,
  raw: Json,
  path: string,
  keepType: boolean,
  put: (value: Json) => void,
): void {
  if (typeof raw !== 'string' || !hasTemplate(raw)) return put(raw)
  const parsed = parseTemplate(raw)
  if (!parsed.ok) {
    read.broken.push({ path, code: parsed.code })
    return undefined
  }
  const [first] = parsed.parts
  if (parsed.parts.length === 1 && first?.kind === 'text') return put(first.text)
  const source =
    keepType && parsed.parts.length === 1 && first?.kind === 'expression'
      ? first
      : { kind: 'template' as const, parts: parsed.parts }
  read.dynamic.push({ path, source, put })
  return undefined
}

function readTargets(read: ReadState, raw: Json, path: string, put: (value: Json) => void): void {
  if (!Array.isArray(raw)) return put(raw)
  const targets: Json[] = []
  raw.forEach((target, index) => {
    if (!isJsonObject(target)) {
      targets.push(target)
      return
    }
    const copy: JsonObject = {}
    targets.push(copy)
    for (const [key, value] of Object.entries(target)) {
      readText(read, value, `${path}.${index}.${key}`, false, (finished) => {
        copy[key] = finished
      })
    }
  })
  return put(targets)
}

function readPairs(
  read: ReadState,
  field: FieldDescriptor,
  raw: Json,
  path: string,
  put: (value: Json) => void,
): void {
  if (!Array.isArray(raw)) return put(raw)
  const pairs: JsonObject = {}
  raw.forEach((row, index) => {
    const name = isJsonObject(row) ? row['name'] : undefined
    if (!isJsonObject(row) || typeof name !== 'string') return
    readText(read, row['value'] ?? '', `${path}.${index}.value`, field.keepType ?? false, (value) => {
      pairs[name] = value
    })
  })
  return put(pairs)
}
