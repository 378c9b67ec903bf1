import type { FieldDescriptor } from '@weft/workflow/catalogue/field'
import type { Json, JsonObject } from '@weft/workflow/json'

/** A state with one field changed; an absent value takes the field out. */
export function withField(state: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _old, ...others } = state
  return value === undefined ? others : { ...state, [name]: value }
}

/** Whether a field is shown: always, or while another one (or its default) has one of the named values. */
export function isFieldShown(
  field: FieldDescriptor,
  all: readonly FieldDescriptor[],
  state: JsonObject,
): boolean {
  if (!field.when) return true
  const { field: other, is } = field.when
  const value = state[other] ?? all.find(({ name }) => name === other)?.default
  return value !== undefined && value !== null && typeof value !== 'object' && is.includes(String(value))
}

/** A key for a new row, small and not taken: an outcome is named by it. */
export function newRowKey(rows: readonly Json[], prefix = 'r'): string {
  const taken = new Set(rows.map((row) => (isObject(row) ? row['key'] : undefined)))
  for (let n = rows.length + 1; ; n += 1) if (!taken.has(`${prefix}${n}`)) return `${prefix}${n}`
}

/** A new row of a list, with the defaults of its fields. */
export function newRow(field: FieldDescriptor, rows: readonly Json[]): JsonObject {
  const row: JsonObject = {}
  for (const item of field.items ?? []) if (item.default !== undefined) row[item.name] = item.default
  return field.keyed ? { ...row, key: newRowKey(rows) } : row
}

/** A list with one entry moved by one place. */
export function moved<T>(list: readonly T[], from: number, by: -1 | 1): T[] {
  const to = from + by
  const copy = [...list]
  const [entry] = copy.splice(from, 1)
  if (entry === undefined || to < 0 || to > copy.length) return [...list]
  copy.splice(to, 0, entry)
  return copy
}

/** What was typed into a number field that may also hold a template: a number where it is one. */
export function typedNumber(text: string, dynamic: boolean): Json | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const number = Number(trimmed)
  if (Number.isFinite(number)) return number
  return dynamic || trimmed ? trimmed : undefined
}

/** Whether a value is an object and no list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** A value as a list; anything else as an empty one. */
export function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}
