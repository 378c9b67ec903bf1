import type { OutputType } from '@weft/workflow/catalogue/activity'
import type { WorkflowDocument } from '@weft/workflow/document'
import { bareExpression, findReferences, parseTemplate, type ScopeRoot } from '@weft/workflow/expressions'
import { expressionsOf } from '@weft/workflow/interpret/needed-scope'
import { valueAt } from '@weft/workflow/interpret/plain-paths'
import type { EvaluateRequest } from '@weft/workflow/interpret/types'
import { isJsonObject, type Json, type JsonObject } from '@weft/workflow/json'

/** What is known of the names that an expression can begin with; a root that is missing is not known at all. */
export type KnownValues = Partial<Record<ScopeRoot, JsonObject>>

/** What the last test run left, as the server tells it. */
export interface LeftValues {
  inputs: JsonObject
  vars: JsonObject
  steps: JsonObject
  item: JsonObject
}

/** The values that are declared, and over them those of the last test run. */
export function knownValues(
  declarations: Pick<WorkflowDocument, 'inputs' | 'variables'>,
  left: LeftValues | null,
  project: JsonObject = {},
): KnownValues {
  const declared = (list: readonly { name: string; default?: Json; secret?: boolean }[]): JsonObject =>
    Object.fromEntries(
      list.flatMap(({ name, default: value, secret }) =>
        value === undefined || secret === true ? [] : [[name, value]],
      ),
    )
  return {
    inputs: { ...declared(declarations.inputs), ...left?.inputs },
    vars: { ...declared(declarations.variables), ...left?.vars },
    steps: left?.steps ?? {},
    item: left?.item ?? {},
    project,
    run: { attempt: 1, now: new Date().toISOString() },
  }
}

/** What can be said of a text before it is evaluated. */
export type Prepared =
  | { kind: 'ready'; request: EvaluateRequest }
  /** It uses a secret: nothing of it is shown. */
  | { kind: 'secret' }
  /** It uses something of which no value is known yet. */
  | { kind: 'unknown'; name: string }
  /** It cannot be read; the field's problem says why. */
  | { kind: 'broken' }

/** Reads a text and looks whether everything that it uses is known. */
export function prepare(
  text: string,
  kind: 'template' | 'code' | 'expression',
  known: KnownValues,
  secretInputs: ReadonlySet<string>,
  /** Names that are known beside those of every expression. */
  further: JsonObject = {},
): Prepared {
  const request = requestOf(text, kind)
  if (!request) return { kind: 'broken' }
  for (const expression of expressionsOf(request)) {
    const { references, unknownNames } = findReferences(expression)
    if (unknownNames.some((name) => !Object.hasOwn(further, name))) return { kind: 'broken' }
    const secret = references.some(
      ({ root, path: [name] }) =>
        root === 'secrets' ||
        (root === 'inputs' && secretInputs.size > 0 && (name === undefined || secretInputs.has(name))),
    )
    if (secret) return { kind: 'secret' }
    for (const { root, path } of references) {
      const [name] = path
      const values = known[root]
      if (!values || (name !== undefined && !Object.hasOwn(values, name)))
        return { kind: 'unknown', name: name === undefined ? root : `${root}.${name}` }
    }
  }
  return { kind: 'ready', request }
}

function requestOf(text: string, kind: 'template' | 'code' | 'expression'): EvaluateRequest | null {
  if (kind === 'expression') {
    const expression = bareExpression(text)
    return expression === '' ? null : { kind: 'expression', expression }
  }
  const parsed = parseTemplate(text)
  if (!parsed.ok) return null
  const [only] = parsed.parts
  if (parsed.parts.length === 1 && only?.kind === 'expression')
    return { kind: 'expression', expression: only.expression }
  return { kind: 'template', parts: parsed.parts }
}

const MEMBER = /^[A-Za-z_]\w*$/
const MOST_MEMBERS = 30

/** The members that a known value has, such as the columns of a record that was read, or of the first of a list. */
export function membersAt(known: KnownValues, path: string): { path: string; value: Json }[] {
  const value = valueAt(known, path)
  if (!Array.isArray(value)) return membersOf(value, path)
  // Of a list, those of its first entry: the others mostly have the same.
  const [first] = value
  return membersOf(first, `${path}[0]`)
}

function membersOf(value: Json | undefined, path: string): { path: string; value: Json }[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value)
    .filter(([name]) => MEMBER.test(name))
    .slice(0, MOST_MEMBERS)
    .map(([name, member]) => ({ path: `${path}.${name}`, value: member }))
}

/** What kind of value it is. */
export function typeOfValue(value: Json): OutputType {
  if (value === null) return 'any'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'object') return 'object'
  return typeof value === 'number' ? 'number' : 'boolean'
}

const SHOWN = 300

/** Texts of lists and records: one may be large, and is shown again for each letter that is typed. */
const written = new WeakMap<object, string>()

function textOf(value: Json): string {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return String(value)
  const text = written.get(value) ?? JSON.stringify(value).slice(0, SHOWN * 2)
  written.set(value, text)
  return text
}

/** A value as one line. */
export function valueLine(value: Json, most = SHOWN): string {
  const text = textOf(value).slice(0, SHOWN * 4)
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
