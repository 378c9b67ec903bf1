import type { z } from 'zod'
import type { Retry } from '../document.ts'
import type { Json, JsonObject } from '../json.ts'
import { advanced, optional, resolvedSchemaOf, select, stateSchemaOf } from './field.ts'
import type { FieldDescriptor, FieldOption, FieldShape, FieldSpec } from './field.ts'

/** The families in which the palette shows activities. */
export const categories = ['page', 'data', 'account', 'flow', 'report'] as const
/** The families in which the palette shows activities. */
export type Category = (typeof categories)[number]

/** What a step may do to the world: nothing, look, change, or change what cannot be taken back. */
export const sideEffects = ['none', 'read', 'write', 'irreversible'] as const
/** What a step may do to the world. */
export type SideEffect = (typeof sideEffects)[number]

/** A way out of a step: to what comes next, or into a body. */
export interface Outcome {
  name: string
  kind: 'next' | 'body'
  labelKey: string
  labelParams?: Record<string, string>
}

/** A file that a step made or uses; `ref` is a handle that only the agent can open. */
export type FileRef = { ref: string; name: string; mediaType: string; size: number }

/** The types that a step's output can have. */
export interface OutputTypes {
  text: string
  number: number
  boolean: boolean
  list: Json[]
  object: JsonObject
  file: FileRef
  any: Json
}
/** The name of an output's type. */
export type OutputType = keyof OutputTypes

/** One value that a step gives to later ones. */
export interface OutputDescriptor {
  name: string
  type: OutputType
}

/** A step type of the catalogue. */
export interface ActivityDefinition<
  T extends string = string,
  F extends FieldShape = FieldShape,
  O extends Record<string, OutputType> = Record<string, OutputType>,
> {
  type: T
  version: number
  category: Category
  /** The name of a Tabler icon. */
  icon: string
  titleKey: string
  descriptionKey: string
  /** The form, in order. */
  fields: FieldDescriptor[]
  /** What an author stores in `state`. */
  inputSchema: ReturnType<typeof stateSchemaOf<F>>
  /** What the executor gets once templates and expressions are resolved. */
  resolvedSchema: ReturnType<typeof resolvedSchemaOf<F>>
  outputTypes: O
  outputs: OutputDescriptor[]
  outcomes: (state: JsonObject) => Outcome[]
  defaultTimeLimitSeconds: number
  defaultRetry: Retry
  sideEffect: (state: JsonObject) => SideEffect
  requires: { browser: boolean }
}

interface ActivityOptions<T extends string, F extends FieldShape, O extends Record<string, OutputType>> {
  type: T
  version?: number
  category: Category
  icon: string
  fields: F
  outputs?: O
  /** Bodies besides the outcome `done`; their labels are `activities.<type>.outcomes.<name>`. */
  bodies?: (state: JsonObject) => { name: string; label?: string; labelParams?: Record<string, string> }[]
  /** Nothing follows this step. */
  last?: boolean
  timeLimitSeconds?: number
  retry?: Retry
  sideEffect: SideEffect | ((state: JsonObject) => SideEffect)
  browser: boolean
}

/** The texts of a field: under the activity, or shared by several. */
function describeFields(fields: FieldShape, owner: string): FieldDescriptor[] {
  return Object.entries(fields).map(([name, { spec }]) => describeField(name, spec, owner))
}

function describeField(name: string, spec: FieldSpec, owner: string): FieldDescriptor {
  const base = spec.shared === undefined ? `${owner}.${name}` : `activities.common.fields.${spec.shared}`
  const { options, items, when, help, shared: _shared, ...rest } = spec
  const descriptor: FieldDescriptor = { name, ...rest, labelKey: `${base}.label` }
  if (help) descriptor.helpKey = `${base}.help`
  if (options) {
    descriptor.options = options.map((value): FieldOption => ({
      value,
      labelKey: `${base}.options.${value}`,
    }))
  }
  if (items) descriptor.items = describeFields(items, `${base}.items`)
  if (when) descriptor.when = { field: when.field, is: [...when.is] }
  return descriptor
}

/** The field by which an author says that a step does more, or less, than its type usually does. */
export const sideEffectField = optional(
  select(sideEffects, { ...advanced, shared: 'sideEffect', help: true }),
)

/** Makes a step type from its fields: the form, both schemas, outputs and outcomes. */
export function defineActivity<
  const T extends string,
  F extends FieldShape,
  const O extends Record<string, OutputType>,
>(options: ActivityOptions<T, F, O>): ActivityDefinition<T, F, O> {
  const { type, fields, bodies, last, sideEffect } = options
  const outputTypes = options.outputs ?? ({} as O)
  const key = `activities.${type}`
  return {
    type,
    version: options.version ?? 1,
    category: options.category,
    icon: options.icon,
    titleKey: `${key}.title`,
    descriptionKey: `${key}.description`,
    fields: describeFields(fields, `${key}.fields`),
    inputSchema: stateSchemaOf(fields),
    resolvedSchema: resolvedSchemaOf(fields),
    outputTypes,
    outputs: Object.entries(outputTypes).map(([name, output]) => ({ name, type: output })),
    outcomes: (state) => {
      const outcomes: Outcome[] = (bodies?.(state) ?? []).map(({ name, label, labelParams }) => ({
        name,
        kind: 'body',
        labelKey: `${key}.outcomes.${label ?? name}`,
        ...(labelParams ? { labelParams } : {}),
      }))
      if (!last) outcomes.push({ name: 'done', kind: 'next', labelKey: 'activities.common.outcomes.done' })
      return outcomes
    },
    defaultTimeLimitSeconds: options.timeLimitSeconds ?? 30,
    defaultRetry: options.retry ?? { attempts: 1, delaySeconds: 0 },
    sideEffect: (state) => {
      const own = sideEffects.find((effect) => effect === state['sideEffect'])
      return own ?? (typeof sideEffect === 'function' ? sideEffect(state) : sideEffect)
    },
    requires: { browser: options.browser },
  }
}

/** What an executor is given for a step of this definition. */
export type ResolvedOf<D> = D extends { resolvedSchema: infer S extends z.ZodType } ? z.output<S> : never
/** What a step of this definition gives to later ones. */
export type OutputOf<D> = D extends { outputTypes: infer O extends Record<string, OutputType> }
  ? { [K in keyof O]: OutputTypes[O[K]] }
  : never
