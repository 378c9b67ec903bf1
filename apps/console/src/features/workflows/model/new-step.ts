import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import { CUSTOM_ACTIVITY } from '@weft/workflow/catalogue/flow'
import type { FieldDescriptor } from '@weft/workflow/catalogue/field'
import type { Activity, WorkflowDocument } from '@weft/workflow/document'
import type { JsonObject } from '@weft/workflow/json'
import { freeIdFor } from '@weft/workflow/operations'
import { readOffered } from './custom-step.ts'

/** A key for a new row of a keyed list: it names an outcome and never changes. */
export function freeRowKey(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const key = `k${number}`
    if (!taken.includes(key)) return key
  }
}

/** The rows that a keyed list begins with, so that a new switch or parallel step has its bodies at once. */
function firstRows(field: FieldDescriptor, count: number): JsonObject[] {
  const rows: JsonObject[] = []
  const keys: string[] = []
  while (rows.length < count) {
    const key = freeRowKey(keys)
    keys.push(key)
    const row: JsonObject = { key }
    for (const { name, required, kind } of field.items ?? [])
      if (required && name !== 'key' && kind === 'template') row[name] = ''
    rows.push(row)
  }
  return rows
}

/** A new step of a type or of an offered custom activity, with an id of its own and nothing filled in. */
export function newStep(document: WorkflowDocument, type: string): Activity {
  const custom = readOffered(type)
  if (custom) {
    const { id: activityId, version, name } = custom
    const step = newStep(document, CUSTOM_ACTIVITY)
    return { ...step, name: name.slice(0, 120), state: { activityId, version } }
  }
  const definition = definitionOf(type)
  const state: JsonObject = {}
  for (const field of definition?.fields ?? [])
    if (field.keyed) state[field.name] = firstRows(field, type === 'parallel' ? 2 : 1)
  return { id: freeIdFor(document, type), type, typeVersion: definition?.version ?? 1, state }
}
