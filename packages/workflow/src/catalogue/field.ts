import { z } from 'zod'
import { jsonSchema } from '../document.ts'
import { FORBIDDEN_KEYS } from '../json.ts'
import type { Json } from '../json.ts'
import { targetsSchema } from '../targets.ts'

/** What control a form shows for a field, and how the executor resolves its value. */
export type FieldKind =
  /** Literal text without templates, such as a name. */
  | 'text'
  /** Text that may hold `{{ … }}`. */
  | 'template'
  /** One plain expression. */
  | 'expression'
  | 'number'
  | 'boolean'
  | 'select'
  /** Ways to find an element, tried in order. */
  | 'targets'
  /** Longer text that may hold templates, in an editor. */
  | 'code'
  /** Rows of a name and a value that may hold templates. */
  | 'keyvalue'
  /** Seconds. */
  | 'duration'
  /** Rows with fields of their own. */
  | 'list'
  /** The name of a variable of the document. */
  | 'variable'
  /** The id of another workflow. */
  | 'workflow'

/** Where a form places a field. */
export type FieldGroup = 'main' | 'options' | 'advanced'

/** One choice of a select. */
export interface FieldOption {
  value: string
  labelKey: string
}

/** Everything a form needs to show one field; the texts are i18n keys. */
export interface FieldDescriptor {
  name: string
  kind: FieldKind
  /** Must have a value (while it is shown). */
  required: boolean
  group: FieldGroup
  labelKey: string
  helpKey?: string
  default?: Json
  options?: FieldOption[]
  min?: number
  max?: number
  integer?: boolean
  multiline?: boolean
  language?: 'json' | 'text'
  /** The empty text is a value, not a missing one. */
  mayBeEmpty?: boolean
  /** A template of a single expression keeps the type of its value. */
  keepType?: boolean
  /** A number or duration that may also be given as a template. */
  dynamic?: boolean
  /** The fields of one row of a list. */
  items?: FieldDescriptor[]
  /** Rows carry a stable `key` that names an outcome; a form makes one for each new row. */
  keyed?: boolean
  /** Shown only while another field has one of these values. */
  when?: { field: string; is: string[] }
}

/** What a field is, apart from its name and its texts, which come from the activity it stands in. */
export interface FieldSpec {
  kind: FieldKind
  required: boolean
  group: FieldGroup
  default?: Json
  options?: readonly string[]
  min?: number
  max?: number
  integer?: boolean
  multiline?: boolean
  language?: 'json' | 'text'
  mayBeEmpty?: boolean
  keepType?: boolean
  dynamic?: boolean
  items?: FieldShape
  keyed?: boolean
  when?: { field: string; is: readonly string[] }
  help?: boolean
  /** The name under which several activities share this field's texts. */
  shared?: string
}

/** A field: its description, the schema of what an author stores, and the schema of what an executor is given. */
export interface Field<S extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  spec: FieldSpec
  state: S
  resolved: R
}

/** The fields of an activity or of a list's row, in the order of the form. */
export type FieldShape = Record<string, Field>

const MAX_TEXT = 20_000
/** Text that holds at least one template, for fields whose value is otherwise not a text. */
const dynamicSchema = z
  .string()
  .max(MAX_TEXT)
  .regex(/\{\{[\s\S]*\}\}/, 'template')
/** The key of a row that names an outcome. */
export const rowKeySchema = z
  .string()
  .min(1)
  .max(32)
  .regex(/^[a-z0-9_]+$/, 'key')

function field<S extends z.ZodType, R extends z.ZodType>(
  kind: FieldKind,
  state: S,
  resolved: R,
  spec: Partial<FieldSpec> = {},
): Field<S, R> {
  return { spec: { kind, required: true, group: 'main', ...spec }, state, resolved }
}

/** Literal text. */
export const text = (spec?: Partial<FieldSpec>) =>
  field('text', z.string().min(1).max(500), z.string().min(1).max(500), spec)

/** Text that may hold templates; the executor gets the finished text. */
export const template = (spec?: Partial<FieldSpec>) =>
  field('template', z.string().min(1).max(MAX_TEXT), z.string(), spec)

/** Text that may be empty and may hold templates. */
export const anyText = (spec?: Partial<FieldSpec>) =>
  field('template', z.string().max(MAX_TEXT), z.string(), { mayBeEmpty: true, ...spec })

/** A template that gives the value itself when it is a single expression. */
export const value = (spec?: Partial<FieldSpec>) =>
  field('template', z.string().max(MAX_TEXT), jsonSchema, { keepType: true, mayBeEmpty: true, ...spec })

/** A plain expression; the executor gets its value. */
export const expression = (spec?: Partial<FieldSpec>) =>
  field('expression', z.string().min(1).max(MAX_TEXT), jsonSchema, spec)

/** Longer text with templates. */
export const code = (spec?: Partial<FieldSpec>) =>
  field('code', z.string().max(65_536), z.string(), { language: 'text', ...spec })

const bounded = (spec: Partial<FieldSpec>) => {
  let schema = spec.integer === false ? z.number() : z.int()
  if (spec.min !== undefined) schema = schema.min(spec.min)
  if (spec.max !== undefined) schema = schema.max(spec.max)
  return schema
}

/** A number, or a template that gives one. */
export const number = (spec: Partial<FieldSpec> = {}) =>
  field('number', z.union([bounded(spec), dynamicSchema]), bounded(spec), {
    integer: true,
    dynamic: true,
    ...spec,
  })

/** Seconds, or a template that gives them. */
export const duration = (spec: Partial<FieldSpec> = {}) => {
  const limits = { min: 0, max: 86_400, integer: false, ...spec }
  return field('duration', z.union([bounded(limits), dynamicSchema]), bounded(limits), {
    dynamic: true,
    ...limits,
  })
}

/** Yes or no. */
export const boolean = (spec?: Partial<FieldSpec>) => field('boolean', z.boolean(), z.boolean(), spec)

/** One of a few words. */
export const select = <const O extends readonly [string, ...string[]]>(
  options: O,
  spec?: Partial<FieldSpec>,
) => field('select', z.enum(options), z.enum(options), { options, ...spec })

/** Ways to find an element. */
export const targets = (spec?: Partial<FieldSpec>) =>
  field('targets', targetsSchema, targetsSchema, { shared: 'targets', help: true, ...spec })

const pairName = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => !FORBIDDEN_KEYS.has(name), 'reserved')
/** Rows of a name and a value, resolved to an object whose values keep their type. */
export const pairs = (spec?: Partial<FieldSpec>) =>
  field(
    'keyvalue',
    z.array(z.strictObject({ name: pairName, value: z.string().max(MAX_TEXT) })).max(100),
    z.record(z.string(), jsonSchema),
    { keepType: true, ...spec },
  )

/** Rows of a name and a text, resolved to an object of texts. */
export const textPairs = (spec?: Partial<FieldSpec>) =>
  field(
    'keyvalue',
    z.array(z.strictObject({ name: pairName, value: z.string().max(MAX_TEXT) })).max(100),
    z.record(z.string(), z.string()),
    spec,
  )

/** The name of a variable. */
export const variable = (spec?: Partial<FieldSpec>) =>
  field('variable', z.string().min(1).max(64), z.string().min(1).max(64), spec)

/** The id of another workflow. */
export const workflowRef = (spec?: Partial<FieldSpec>) => field('workflow', z.uuid(), z.uuid(), spec)

type StateShape<F extends FieldShape> = { -readonly [K in keyof F]: F[K]['state'] }
type ResolvedShape<F extends FieldShape> = { -readonly [K in keyof F]: F[K]['resolved'] }

/** The schema of what an author stores. */
export function stateSchemaOf<F extends FieldShape>(fields: F): z.ZodObject<StateShape<F>, z.core.$strict> {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, { state }]) => [name, state]))
  return z.strictObject(shape as StateShape<F>)
}

/** The schema of what an executor is given. */
export function resolvedSchemaOf<F extends FieldShape>(
  fields: F,
): z.ZodObject<ResolvedShape<F>, z.core.$strict> {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, { resolved }]) => [name, resolved]))
  return z.strictObject(shape as ResolvedShape<F>)
}

/** Rows with fields of their own. */
export const list = <F extends FieldShape>(items: F, spec: Partial<FieldSpec> = {}) => {
  const max = spec.max ?? 100
  const min = spec.min ?? 0
  return field(
    'list',
    z.array(stateSchemaOf(items)).min(min).max(max),
    z.array(resolvedSchemaOf(items)).min(min).max(max),
    { items, ...spec },
  )
}

/** Rows whose stable `key` names an outcome. */
export const keyedList = <F extends FieldShape>(items: F, spec: Partial<FieldSpec> = {}) =>
  list({ key: field('text', rowKeySchema, rowKeySchema), ...items }, { keyed: true, ...spec })

/** The same field where it may be left out. */
export const optional = <S extends z.ZodType, R extends z.ZodType>(inner: Field<S, R>) => ({
  spec: { ...inner.spec, required: false },
  state: inner.state.optional(),
  resolved: inner.resolved.optional(),
})

/** The same field with a value that holds where it is left out. */
export const withDefault = <S extends z.ZodType, R extends z.ZodType>(
  inner: Field<S, R>,
  initial: z.core.util.NoUndefined<z.output<R>> & Json,
) => ({
  spec: { ...inner.spec, required: false, default: initial },
  state: inner.state.optional(),
  resolved: inner.resolved.default(initial),
})

/** The same field where it is shown (and then perhaps required) only while another has one of these values. */
export const shownWhen = <S extends z.ZodType, R extends z.ZodType>(
  other: string,
  is: readonly string[],
  inner: Field<S, R>,
) => ({
  spec: { ...inner.spec, when: { field: other, is } },
  state: inner.state.optional(),
  resolved: inner.resolved.optional(),
})

/** A field in the group of settings that most authors leave alone. */
export const advanced = { group: 'advanced' } as const
/** A field in the group of options. */
export const options = { group: 'options' } as const
