import type { FieldDescriptor } from '@weft/workflow/catalogue/field'
import { isJsonObject, type Json } from '@weft/workflow/json'
import type { Problem } from '@weft/workflow/validate'

/**
 * The worst problem of each control of a step's form, by the control's path. One within a way to find an element stands
 * at that way as a whole.
 */
export function problemsByField(
  fields: readonly FieldDescriptor[],
  problems: readonly Problem[],
): Map<string, Problem> {
  const found = new Map<string, Problem>()
  for (const problem of problems) {
    if (problem.field === null) continue
    const path = controlPath(fields, problem.field)
    const known = found.get(path)
    if (!known || (known.severity === 'warning' && problem.severity === 'error')) found.set(path, problem)
  }
  return found
}

/** The path of the control that shows what stands at a path of the state. */
export function controlPath(fields: readonly FieldDescriptor[], path: string): string {
  const [name = '', index, ...rest] = path.split('.')
  const field = fields.find((candidate) => candidate.name === name)
  if (index === undefined || field === undefined) return name
  if (field.kind === 'targets') return `${name}.${index}`
  if (field.kind === 'keyvalue') return path
  if (field.kind !== 'list' || rest.length === 0) return name
  return `${name}.${index}.${controlPath(field.items ?? [], rest.join('.'))}`
}

/** The text that stands at a path of a state. */
export function textAt(state: Json, path: string): string | null {
  let at: Json | undefined = state
  for (const part of path.split('.')) {
    if (Array.isArray(at)) at = at[Number(part)]
    else if (isJsonObject(at)) at = at[part]
    else return null
  }
  return typeof at === 'string' ? at : null
}

/** The field at a path of a state. */
export function fieldAt(fields: readonly FieldDescriptor[], path: string): FieldDescriptor | undefined {
  const [name = '', index, ...rest] = path.split('.')
  const field = fields.find((candidate) => candidate.name === name)
  return index === undefined || rest.length === 0 ? field : fieldAt(field?.items ?? [], rest.join('.'))
}
