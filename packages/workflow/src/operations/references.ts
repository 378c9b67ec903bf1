import { definitionOf } from '../catalogue/catalogue.ts'
import type { FieldDescriptor } from '../catalogue/field.ts'
import type { Activity } from '../document.ts'
import { rewriteTemplate } from '../expressions.ts'
import { tokenize } from '../expressions-tokens.ts'
import { isJsonObject } from '../json.ts'
import type { Json, JsonObject } from '../json.ts'

/** Rewrites `steps.<old>` to `steps.<new>` in an expression, in both ways of writing it. */
export function renameInExpression(expression: string, names: ReadonlyMap<string, string>): string {
  const tokens = [...tokenize(expression, 0)]
  const edits: { start: number; end: number; text: string }[] = []
  tokens.forEach((token, index) => {
    const before = tokens[index - 1]?.text
    if (token.text !== 'steps' || before === '.' || before === '?.') return
    let at = index + 1
    if (tokens[at]?.text === '?.' && tokens[at + 1]?.text === '[') at += 1
    const [sign, member] = tokens.slice(at, at + 2)
    if (!member) return
    const dotted = (sign?.text === '.' || sign?.text === '?.') && member.kind === 'name'
    const quoted = sign?.text === '[' && member.kind === 'string'
    const old = quoted ? member.text.slice(1, -1) : member.text
    const renamed = dotted || quoted ? names.get(old) : undefined
    if (renamed === undefined) return
    const text = quoted ? `${member.text.charAt(0)}${renamed}${member.text.charAt(0)}` : renamed
    edits.push({ start: member.start, end: member.start + member.text.length, text })
  })
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), expression)
}

/** An activity whose expressions refer to steps by their new ids. */
export function withRenamedReferences(activity: Activity, names: ReadonlyMap<string, string>): Activity {
  const fields = definitionOf(activity.type)?.fields
  if (!fields) return activity
  return { ...activity, state: renameInState(fields, activity.state, names) }
}

function renameInState(
  fields: FieldDescriptor[],
  state: JsonObject,
  names: ReadonlyMap<string, string>,
): JsonObject {
  const result: JsonObject = { ...state }
  for (const field of fields) {
    const value = state[field.name]
    if (value === undefined) continue
    result[field.name] = renameInValue(field, value, names)
  }
  return result
}

function renameInValue(field: FieldDescriptor, value: Json, names: ReadonlyMap<string, string>): Json {
  const inText = (text: string) =>
    rewriteTemplate(text, (expression) => renameInExpression(expression, names))
  switch (field.kind) {
    case 'expression':
      // An author may have put braces around it.
      if (typeof value !== 'string') return value
      return value.trim().startsWith('{{') ? inText(value) : renameInExpression(value, names)
    case 'template':
    case 'code':
    case 'number':
    case 'duration':
      return typeof value === 'string' ? inText(value) : value
    case 'targets':
    case 'keyvalue':
      return mapTexts(value, inText)
    case 'list':
      if (!Array.isArray(value)) return value
      return value.map((row) => (isJsonObject(row) ? renameInState(field.items ?? [], row, names) : row))
    default:
      return value
  }
}

/** Rewrites the texts of rows of flat objects. */
function mapTexts(value: Json, rewrite: (text: string) => string): Json {
  if (!Array.isArray(value)) return value
  return value.map((row) => {
    if (!isJsonObject(row)) return row
    return Object.fromEntries(
      Object.entries(row).map(([key, text]) => [key, typeof text === 'string' ? rewrite(text) : text]),
    )
  })
}
