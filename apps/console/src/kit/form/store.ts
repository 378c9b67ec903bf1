import type { z } from 'zod'
import { emitter } from '../../lib/emitter.ts'
import { alike, getAt, setAt, type Values } from './paths.ts'
import { validate, type FormError } from './schema-info.ts'

/** What a form knows at one moment. */
export interface FormState {
  /** The version of the record that the values were made on; null for a new one. */
  version: number | null
  values: Values
  initial: Values
  errors: readonly FormError[]
  /** The fields that were left at least once: only these complain before a try to save. */
  left: ReadonlySet<string>
  tried: boolean
}

/** The state of one form, apart from React so that a field re-renders only for itself. */
export interface FormStore {
  readonly feature: string
  readonly schema: z.ZodType | undefined
  /** Paths that hold secrets: never kept in a draft. */
  readonly secrets: Set<string>
  get: () => FormState
  subscribe: (listener: () => void) => () => void
  set: (path: string, value: unknown) => void
  setAll: (values: Values) => void
  leave: (path: string) => void
  /** Starts over from other values, keeping what was typed where `keep` is given. */
  begin: (initial: Values, more?: { keep?: Values; version?: number | null }) => void
  setErrors: (errors: readonly FormError[]) => void
  /** Checks everything; true when the values may be sent. */
  check: () => boolean
  isDirty: () => boolean
  errorAt: (path: string) => FormError | undefined
}

/** Makes a form's state. `shape` turns what was typed into what is checked and sent. */
export function formStore(options: {
  feature: string
  schema: z.ZodType | undefined
  initial: Values
  values?: Values
  version?: number | null
  shape?: (values: Values) => Values
}): FormStore {
  const { feature, schema } = options
  const shape = options.shape ?? ((values: Values) => values)
  const changed = emitter<null>()
  let state: FormState = {
    version: options.version ?? null,
    values: options.values ?? options.initial,
    initial: options.initial,
    errors: [],
    left: new Set(),
    tried: false,
  }
  const put = (next: Partial<FormState>) => {
    state = { ...state, ...next }
    changed.emit(null)
  }
  const problems = () => validate(schema, shape(state.values))
  /** Errors that stand: found again by the schema on fields that were left, or said by the server and not touched since. */
  const recheck = (touched: string | null) => {
    const found = problems()
    const shown = found.filter(({ path }) => state.tried || state.left.has(path))
    const said = state.errors.filter(
      (error) =>
        error.message !== undefined &&
        error.path !== touched &&
        !shown.some(({ path }) => path === error.path),
    )
    put({ errors: [...shown, ...said] })
  }
  return {
    feature,
    schema,
    secrets: new Set(),
    get: () => state,
    subscribe: (listener) => changed.on(listener),
    set(path, value) {
      const values = setAt(state.values, path, value)
      put({ values: { ...Object(values) } })
      if (state.errors.length > 0) recheck(path)
    },
    setAll(values) {
      put({ values })
      if (state.errors.length > 0) recheck(null)
    },
    leave(path) {
      if (alike(getAt(state.values, path), getAt(state.initial, path)) && !state.tried) return
      put({ left: new Set([...state.left, path]) })
      recheck(null)
    },
    begin(initial, more = {}) {
      const version = more.version === undefined ? state.version : more.version
      put({ version, initial, values: more.keep ?? initial, errors: [], left: new Set(), tried: false })
    },
    setErrors: (errors) => put({ errors, tried: true }),
    check() {
      const errors = problems()
      put({ errors, tried: true })
      return errors.length === 0
    },
    isDirty: () => !alike(state.values, state.initial),
    errorAt: (path) => state.errors.find((error) => error.path === path),
  }
}
