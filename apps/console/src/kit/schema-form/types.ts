import type { FieldDescriptor } from '@weft/workflow/catalogue/field'
import type { Json, JsonObject } from '@weft/workflow/json'
import type { ReactNode } from 'react'

/** A value that templates and expressions may use. */
export interface ScopeValue {
  /** As `steps.read.value`. */
  expression: string
  /** What it is, in the author's words. */
  hint: string
  /** Under which heading it is offered. */
  group: string
  /** The word for the type of its value. */
  type?: string
  /** What it was when last seen. */
  sample?: string
}

/** Shows what a text with expressions gives now. */
export type PreviewOf = (props: { text: string; kind: 'template' | 'code' | 'expression' }) => ReactNode

/** What is wrong with a field, and which part of its text it is about. */
export interface FieldProblem {
  text: string
  severity: 'error' | 'warning'
  at?: { from: number; to: number }
}

/** What a generated form is told. */
export interface SchemaFormProps {
  fields: readonly FieldDescriptor[]
  value: JsonObject
  /** Gives the whole state with one field changed; `path` says which, for undo steps that belong together. */
  onChange: (value: JsonObject, path: string) => void
  /** Words of a `labelKey` or `helpKey`. */
  text: (key: string) => string
  /** What is wrong with the field at a path, such as `cases.0.equals`. */
  problemAt?: (path: string) => FieldProblem | undefined
  /** What may be used in templates and expressions. */
  scope?: readonly ScopeValue[]
  /** Shows beneath a field what its expressions give. */
  preview?: PreviewOf
  /** Names of the document's variables. */
  variables?: readonly string[]
  /** Chooses another workflow. */
  workflowPicker?: (props: {
    id: string
    value: string | null
    onChange: (id: string | null) => void
    disabled: boolean
    aria: Record<string, string | boolean>
  }) => ReactNode
  /** Begins the ids of the controls, so that two forms on a page do not share them. */
  idPrefix: string
  readOnly?: boolean
}

/** What one field of the form gets. */
export interface SchemaFieldProps {
  field: FieldDescriptor
  path: string
  value: Json | undefined
  onChange: (value: Json | undefined) => void
  form: Omit<SchemaFormProps, 'fields' | 'value' | 'onChange'>
}

/** The id of the control at a path. */
export function schemaFieldId(prefix: string, path: string): string {
  return `${prefix}-${path.replaceAll('.', '-')}`
}
