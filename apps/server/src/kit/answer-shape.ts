import { z } from 'zod'

/** Says that a value is not as its schema has it, or that this cannot be told here. */
const ODD = Symbol('odd')

type Read = (value: unknown) => unknown

/** Checks that look at a value and leave it as it is. */
const LOOKS = new Set([
  'min_length',
  'max_length',
  'length_equals',
  'string_format',
  'greater_than',
  'less_than',
  'number_format',
  'multiple_of',
])
/** Formats that leave a text as it is. */
const FORMATS = new Set(['uuid', 'datetime', 'date', 'time', 'email', 'regex'])

const readers = new WeakMap<z.ZodType, Read>()
const known = new WeakMap<z.ZodType, Read>()

/**
 * Applies a schema to an answer: what it does not name is left out, and a value of another kind is refused as by the schema
 * itself. How texts are written, how long and how large things are is not looked at again: what a handler gives comes from
 * columns that were checked on their way in. It takes a tenth of the time, which was an eighth of a list's.
 */
export function answerReader(schema: z.ZodType): Read {
  const made = readers.get(schema) ?? wholeReader(schema)
  readers.set(schema, made)
  return made
}

function wholeReader(schema: z.ZodType): Read {
  const read = readerOf(schema)
  return (value) => {
    const found = read(value)
    return found === ODD ? schema.parse(value) : found
  }
}

/** One reader for each schema; a schema that holds itself finds the one that is being made. */
function readerOf(schema: z.ZodType): Read {
  const found = known.get(schema)
  if (found) return found
  known.set(schema, (value) => known.get(schema)?.(value))
  const made = madeReader(schema)
  known.set(schema, made)
  return made
}

function madeReader(schema: z.ZodType): Read {
  const changes = changesOf(schema)
  if (changes === undefined) return bySchema(schema)
  const read = plainReader(schema)
  if (!read) return bySchema(schema)
  if (changes.length === 0) return read
  return (value) => {
    const found = read(value)
    return found === ODD ? ODD : changes.reduce((now, change) => change(now), found)
  }
}

/** What its checks make of a value; undefined where there is one of which that is not known. */
function changesOf(schema: z.ZodType): Read[] | undefined {
  const changes: Read[] = []
  for (const { _zod: check } of schema.def.checks ?? []) {
    const { def } = check
    if (def.check === 'overwrite' && 'tx' in def && typeof def.tx === 'function') {
      const { tx } = def
      changes.push((value) => Reflect.apply(tx, undefined, [value]))
    } else if (!LOOKS.has(def.check) && !(def.check === 'custom' && 'fn' in def)) return undefined
  }
  return changes
}

function plainReader(schema: z.ZodType): Read | undefined {
  if (schema instanceof z.ZodObject) return objectReader(schema)
  if (schema instanceof z.ZodArray) return arrayReader(readerOf(typed(schema.element)))
  if (schema instanceof z.ZodRecord) return recordReader(schema)
  if (schema instanceof z.ZodNullable) {
    const inner = readerOf(typed(schema.unwrap()))
    return (value) => (value === null ? null : inner(value))
  }
  if (schema instanceof z.ZodOptional) {
    const inner = readerOf(typed(schema.unwrap()))
    return (value) => (value === undefined ? undefined : inner(value))
  }
  if (schema instanceof z.ZodEnum) return oneOf(new Set<unknown>(Object.values(schema.enum)))
  if (schema instanceof z.ZodLiteral) return oneOf(new Set<unknown>(schema.values))
  switch (schema.type) {
    case 'string':
      return isPlainText(schema) ? (value) => (typeof value === 'string' ? value : ODD) : undefined
    case 'number':
      return 'coerce' in schema.def && schema.def.coerce === true
        ? undefined
        : (value) => (typeof value === 'number' && Number.isFinite(value) ? value : ODD)
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : ODD)
    case 'null':
      return (value) => (value === null ? null : ODD)
    case 'unknown':
      return (value) => value
    default:
      return undefined
  }
}

const typed = (schema: unknown): z.ZodType => {
  if (schema instanceof z.ZodType) return schema
  throw new Error('a part of a schema is none')
}

function isPlainText({ def }: z.ZodType): boolean {
  if ('coerce' in def && def.coerce === true) return false
  return !('format' in def) || FORMATS.has(String(def.format))
}

const oneOf =
  (values: ReadonlySet<unknown>): Read =>
  (value) =>
    values.has(value) ? value : ODD

/** Whatever is not known here is for the schema itself. */
function bySchema(schema: z.ZodType): Read {
  return (value) => {
    const parsed = schema.safeParse(value)
    return parsed.success ? parsed.data : ODD
  }
}

function arrayReader(read: Read): Read {
  return (value) => {
    if (!Array.isArray(value)) return ODD
    const given: readonly unknown[] = value
    let copy: unknown[] | undefined
    for (let n = 0; n < given.length; n += 1) {
      const found = read(given[n])
      if (found === ODD) return ODD
      if (found === given[n]) continue
      copy ??= [...given]
      copy[n] = found
    }
    return copy ?? value
  }
}

/** An object that has what it should and nothing else goes through as it is; any other is made anew of what is named. */
function objectReader(schema: z.ZodObject): Read | undefined {
  const isStrict = schema.def.catchall instanceof z.ZodNever
  if (schema.def.catchall && !isStrict) return undefined
  const fields = Object.entries(schema.shape).map(([name, part]) => ({ name, read: readerOf(typed(part)) }))
  return (value) => {
    if (!isPlainObject(value)) return ODD
    let present = 0
    let changed: Record<string, unknown> | undefined
    for (const { name, read } of fields) {
      const given = value[name]
      const found = read(given)
      if (found === ODD) return ODD
      if (given !== undefined || name in value) present += 1
      if (found !== given) (changed ??= {})[name] = found
    }
    const isWhole = Object.keys(value).length === present
    if (isWhole) return changed ? { ...value, ...changed } : value
    if (isStrict) return ODD
    const copy: Record<string, unknown> = {}
    for (const { name } of fields) if (name in value) copy[name] = value[name]
    return { ...copy, ...changed }
  }
}

/** Names of any kind, whose values are read. */
function recordReader({ keyType, valueType }: z.ZodRecord): Read | undefined {
  const { type, def } = typed(keyType)
  const isAnyName = type === 'string' && !('format' in def) && !def.checks?.length
  if (!isAnyName) return undefined
  const read = readerOf(typed(valueType))
  return (value) => {
    if (!isPlainObject(value)) return ODD
    let changed: Record<string, unknown> | undefined
    for (const name of Object.keys(value)) {
      const given = value[name]
      const found = read(given)
      if (found === ODD || name === '__proto__') return ODD
      if (found !== given) (changed ??= {})[name] = found
    }
    return changed ? { ...value, ...changed } : value
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const made: unknown = Object.getPrototypeOf(value)
  return made === Object.prototype || made === null
}
