import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { FieldDescriptor } from '@weft/workflow/catalogue/field'
import type { Activity } from '@weft/workflow/document'
import { isJsonObject } from '@weft/workflow/json'
import type { Json } from '@weft/workflow/json'
import { isEmpty, isShown } from '@weft/workflow/state-values'
import { describeTarget, targetSchema } from '@weft/workflow/targets'

/** A value of a step in one line; null where there is nothing to say. `words` gives those of an option. */
export function valueText(
  field: FieldDescriptor,
  value: Json | undefined,
  words?: (key: string) => string,
): string | null {
  if (isEmpty(value)) return null
  const option = field.options?.find((candidate) => candidate.value === value)
  if (option && words) return words(option.labelKey)
  if (typeof value === 'string') return value.replaceAll(/\s+/g, ' ').trim()
  if (typeof value === 'number') return field.kind === 'duration' ? `${value} s` : String(value)
  if (typeof value === 'boolean') return String(value)
  if (!Array.isArray(value)) return JSON.stringify(value)
  if (value.length === 0) return null
  if (field.kind === 'targets') return value.map(targetText).join(' | ')
  return value.map(rowText).join(', ')
}

function targetText(value: Json): string {
  const target = targetSchema.safeParse(value)
  return target.success ? describeTarget(target.data) : '…'
}

function rowText(row: Json): string {
  if (!isJsonObject(row)) return typeof row === 'string' ? row : JSON.stringify(row)
  if (typeof row['name'] === 'string' && typeof row['value'] === 'string')
    return `${row['name']}: ${row['value']}`
  const texts = Object.entries(row).flatMap(([name, value]) =>
    name === 'key' || isEmpty(value) ? [] : [typeof value === 'string' ? value : JSON.stringify(value)],
  )
  return texts.join(' ')
}

/** Of rows that have more than a name and a value, such as the fields of a form, only what they are called. */
function namesText(value: Json | undefined): string | null {
  if (!Array.isArray(value)) return null
  const names = value.flatMap((row) => {
    if (!isJsonObject(row) || Object.hasOwn(row, 'value')) return []
    const name = row['label'] || row['name']
    return typeof name === 'string' && name !== '' ? [name] : []
  })
  return names.length === value.length && names.length > 0 ? names.join(', ') : null
}

const MAX_SUMMARY = 90

/** What a step does, in a few characters for its row: its main values, the most telling first. */
export function summaryOf(activity: Activity): string {
  const definition = definitionOf(activity.type)
  if (!definition) return activity.type
  const { fields } = definition
  const texts = fields.flatMap((field) => {
    // An id says nothing to anybody.
    if (field.group !== 'main' || ['select', 'boolean', 'workflow'].includes(field.kind)) return []
    if (!isShown(field, fields, activity.state)) return []
    const raw = activity.state[field.name]
    // Of several ways to find an element the first says enough.
    const value = field.kind === 'targets' && Array.isArray(raw) ? raw.slice(0, 1) : raw
    // The name of a target is not what it is called: it is a button, or a link, of that name.
    return (field.kind === 'targets' ? null : namesText(value)) ?? valueText(field, value) ?? []
  })
  const text = texts.join(' · ')
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY - 1)}…` : text
}

/** The values of a step that it has: field and one line each. */
export function valuesOf(
  activity: Activity,
  words?: (key: string) => string,
): { field: FieldDescriptor; text: string }[] {
  const fields = definitionOf(activity.type)?.fields ?? []
  return fields.flatMap((field) => {
    const text = valueText(field, activity.state[field.name], words)
    return text === null ? [] : [{ field, text }]
  })
}
