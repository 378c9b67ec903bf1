import type { z } from 'zod'
import type { ActivityDefinition } from '../catalogue/activity.ts'
import { activityOf } from '../calls.ts'
import { definitionOf } from '../catalogue/catalogue.ts'
import { CUSTOM_ACTIVITY } from '../catalogue/flow.ts'
import type { FieldDescriptor } from '../catalogue/field.ts'
import type { Activity, ValueType, WorkflowDocument } from '../document.ts'
import { isJsonObject } from '../json.ts'
import type { Json, JsonObject } from '../json.ts'
import { isEmpty, isShown } from '../state-values.ts'
import { problem } from './problem.ts'
import type { Problem } from './problem.ts'

/** Checks that inputs and variables are declared once and that their defaults are of their type. */
export function checkDeclarations({ inputs, variables }: WorkflowDocument): Problem[] {
  const problems: Problem[] = []
  const check = (
    list: { name: string; type: ValueType; default?: Json }[],
    kind: 'inputs' | 'variables',
    duplicate: 'workflow.duplicate_input' | 'workflow.duplicate_variable',
  ) => {
    const seen = new Set<string>()
    list.forEach(({ name, type, default: initial }, index) => {
      const path = `${kind}.${index}`
      if (seen.has(name)) problems.push(problem(duplicate, { path }, { name }))
      seen.add(name)
      if (!isEmpty(initial) && !isOfType(type, initial)) {
        problems.push(problem('workflow.default_type', { path }, { name, type }))
      }
    })
  }
  check(inputs, 'inputs', 'workflow.duplicate_input')
  check(variables, 'variables', 'workflow.duplicate_variable')
  inputs.forEach(({ name, secret, type, default: initial }, index) => {
    if (!secret) return
    const path = `inputs.${index}`
    if (!isEmpty(initial)) problems.push(problem('workflow.secret_default', { path }, { name }))
    if (type !== 'text') problems.push(problem('workflow.secret_type', { path }, { name }))
  })
  return problems
}

function isOfType(type: ValueType, value: Json): boolean {
  if (type === 'list') return Array.isArray(value)
  return typeof value === (type === 'text' ? 'string' : type)
}

/** Checks every step's type and state. `switchedOff` are the types and custom activities that this installation does not allow. */
export function checkStates(document: WorkflowDocument, switchedOff?: ReadonlySet<string>): Problem[] {
  const variables = new Set(document.variables.map(({ name }) => name))
  return document.activities.flatMap((activity, index) => {
    const path = `activities.${index}`
    const stepId = activity.id
    const { type } = activity
    const definition = definitionOf(type)
    if (!definition) return [problem('workflow.unknown_activity', { path, stepId }, { type })]
    if (activity.typeVersion > definition.version) {
      const params = { type, version: activity.typeVersion, known: definition.version }
      return [problem('workflow.newer_activity', { path, stepId }, params)]
    }
    const problems = checkState(activity, definition, path, variables)
    if (switchedOff?.has(activityOf(activity))) {
      problems.push(problem('workflow.activity_disabled', { path, stepId }, { type: activityName(activity) }))
    }
    const isContainer = definition.outcomes(activity.state).some(({ kind }) => kind === 'body')
    if (activity.retry && activity.retry.attempts > 1 && isContainer) {
      problems.push(problem('workflow.retry_ignored', { path: `${path}.retry`, stepId }, { type }))
    }
    return problems
  })
}

/** What a step of a custom activity is called tells more than that it is one. */
function activityName({ type, name }: Activity): string {
  return type === CUSTOM_ACTIVITY && name ? name : type
}

function checkState(
  activity: Activity,
  { fields, inputSchema, type }: ActivityDefinition,
  at: string,
  variables: ReadonlySet<string>,
): Problem[] {
  const { state, id: stepId } = activity
  const problems: Problem[] = []
  const missing = new Set<string>()
  for (const field of requiredOf(fields, state, '')) {
    missing.add(field)
    const place = { path: `${at}.state.${field}`, stepId, field }
    const unbounded = type === 'repeat-until' && field === 'maxTimes'
    problems.push(problem(unbounded ? 'workflow.loop_without_bound' : 'field.required', place, { field }))
  }
  const parsed = inputSchema.safeParse(withoutEmpty(fields, state))
  for (const issue of parsed.error?.issues ?? []) problems.push(...ofIssue(issue, at, stepId, missing))
  for (const field of fields) {
    const value = state[field.name]
    const place = { path: `${at}.state.${field.name}`, stepId, field: field.name }
    if (field.kind === 'variable' && typeof value === 'string' && value !== '' && !variables.has(value)) {
      problems.push(problem('workflow.unknown_variable', place, { name: value }))
    }
    if (field.keyed && Array.isArray(value)) {
      const keys = value.flatMap((row) =>
        isJsonObject(row) && typeof row['key'] === 'string' ? [row['key']] : [],
      )
      const twice = keys.find((key, index) => keys.indexOf(key) !== index)
      if (twice !== undefined) problems.push(problem('workflow.duplicate_key', place, { key: twice }))
    }
  }
  return problems
}

/** The paths of required fields that are shown and empty; rows of lists too. */
function requiredOf(fields: FieldDescriptor[], state: JsonObject, prefix: string): string[] {
  return fields.flatMap((field) => {
    const value = state[field.name]
    const path = `${prefix}${field.name}`
    if (isShown(field, fields, state) && field.required) {
      // A text that is required may still be the empty text where its schema says so.
      if (value === undefined || value === null || (value === '' && !mayBeEmptyText(field))) return [path]
    }
    if (field.kind !== 'list' || !Array.isArray(value)) return []
    return value.flatMap((row, index) =>
      isJsonObject(row) ? requiredOf(field.items ?? [], row, `${path}.${index}.`) : [],
    )
  })
}

const mayBeEmptyText = ({ mayBeEmpty }: FieldDescriptor): boolean => mayBeEmpty === true

/** What a form leaves empty counts as left out. */
function withoutEmpty(fields: FieldDescriptor[], state: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, value]): [string, Json][] => {
      const field = fields.find((candidate) => candidate.name === name)
      if (field && isEmpty(value) && !(value === '' && mayBeEmptyText(field))) return []
      if (field?.kind === 'list' && Array.isArray(value)) {
        const rows = value.map((row) => (isJsonObject(row) ? withoutEmpty(field.items ?? [], row) : row))
        return [[name, rows]]
      }
      return [[name, value]]
    }),
  )
}

function ofIssue(
  issue: z.core.$ZodIssue,
  at: string,
  stepId: string,
  missing: ReadonlySet<string>,
): Problem[] {
  const field = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const name = field === '' ? key : `${field}.${key}`
      return problem('field.unknown', { path: `${at}.state.${name}`, stepId, field: name }, { field: name })
    })
  }
  if (missing.has(field)) return []
  const params: Problem['params'] = { field, rule: issue.code }
  if ('minimum' in issue) params['min'] = Number(issue.minimum)
  if ('maximum' in issue) params['max'] = Number(issue.maximum)
  return [problem('field.invalid', { path: `${at}.state.${field}`, stepId, field }, params)]
}
