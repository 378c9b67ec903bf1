import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { fieldErrorText, fieldLabel, fieldText } from '../../lib/i18n/names.ts'
import { useLanguage } from '../../lib/i18n/texts.ts'
import { getAt, type Values } from './paths.ts'
import { fieldInfo, schemaAt, type FieldInfo } from './schema-info.ts'
import type { FormStore } from './store.ts'

/** What fields need of the form around them. */
export interface FormScope {
  store: FormStore
  /** Schema by which fields know whether they are required, and their options; the checks may use another. */
  infoSchema: FormStore['schema']
  /** The record as the server gave it, for what is not a value of the form. */
  record: Values | null
  disabled: boolean
}

export const FormContext = createContext<FormScope | null>(null)

/** The form around a field. */
export function useFormScope(): FormScope {
  const scope = useContext(FormContext)
  if (!scope) throw new Error('A field stands outside a form.')
  return scope
}

/** Everything a field of a form needs; it re-renders only for its own value and error. */
export interface FieldHandle {
  name: string
  id: string
  value: unknown
  set: (value: unknown) => void
  leave: () => void
  error: string | undefined
  info: FieldInfo
  label: string
  help: string | undefined
  placeholder: string | undefined
  disabled: boolean
}

/** The id of a field's control, to which the summary of errors jumps. */
export function fieldId(feature: string, name: string): string {
  return `${feature}-${name.replaceAll('.', '-')}`
}

/** The field of this name. */
export function useField(name: string): FieldHandle {
  const { store, infoSchema, disabled } = useFormScope()
  useLanguage()
  const value = useSyncExternalStore(store.subscribe, () => getAt(store.get().values, name))
  const error = useSyncExternalStore(store.subscribe, () => store.errorAt(name))
  const info = fieldInfo(infoSchema, name)
  return {
    name,
    id: fieldId(store.feature, name),
    value,
    set: (next) => store.set(name, next),
    leave: () => store.leave(name),
    error: error ? fieldErrorText(error.code, error.params, error.message) : undefined,
    info,
    label: fieldLabel(store.feature, name),
    help: fieldText('help', store.feature, name),
    placeholder: fieldText('placeholder', store.feature, name),
    disabled,
  }
}

/** Another field's value, for what depends on it. */
export function useFieldValue(name: string): unknown {
  const { store } = useFormScope()
  return useSyncExternalStore(store.subscribe, () => getAt(store.get().values, name))
}

/** Marks a field as secret, so that no draft keeps it. */
export function useSecretPath(name: string): void {
  const { store } = useFormScope()
  useEffect(() => {
    store.secrets.add(name)
  }, [store, name])
}

/** What an emptied text field becomes: null where the schema takes it, absent where it may be, else an empty text. */
export function emptied(infoSchema: FormStore['schema'], name: string): null | undefined | '' {
  const schema = infoSchema && schemaAt(infoSchema, name)
  if (!schema) return ''
  if (schema.safeParse(null).success) return null
  if (schema.safeParse('').success) return ''
  return schema.safeParse(undefined).success ? undefined : ''
}
