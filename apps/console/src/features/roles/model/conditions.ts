import type { FunctionEntry } from '@weft/contract/roles/schema'
import type { Grant } from './cells.ts'

type Conditions = NonNullable<Grant['conditions']>
type Condition = Conditions[string]
/** What a condition can compare with. */
export type Value = string | number | boolean | null

export const OPERATORS = ['is', 'ne', 'in', 'nin', 'gte', 'lte', 'gt', 'lt'] as const
export type Operator = (typeof OPERATORS)[number]
export type FieldKind = FunctionEntry['conditions'][number]['kind']

/** One comparison as a line of the editor. */
export interface ConditionRow {
  field: string
  operator: Operator
  values: Value[]
}

/** The comparisons that make sense for a kind of field. */
export function operatorsFor(kind: FieldKind): readonly Operator[] {
  if (kind === 'number' || kind === 'time') return ['is', 'gte', 'lte', 'gt', 'lt']
  return kind === 'boolean' ? ['is'] : ['is', 'ne', 'in', 'nin']
}

/** Whether a comparison takes several values. */
export function takesMany(operator: Operator): boolean {
  return operator === 'in' || operator === 'nin'
}

/** Conditions as lines. */
export function rowsOf(conditions: Conditions | undefined): ConditionRow[] {
  return Object.entries(conditions ?? {}).flatMap(([field, condition]) => rowsOfOne(field, condition))
}

function rowsOfOne(field: string, condition: Condition): ConditionRow[] {
  if (condition === null || typeof condition !== 'object')
    return [{ field, operator: 'is', values: [condition] }]
  return Object.entries(condition).flatMap(([name, value]): ConditionRow[] => {
    if (value === undefined) return []
    const operator = OPERATORS.find((one) => `$${one}` === name) ?? 'is'
    return [{ field, operator, values: Array.isArray(value) ? value : [value] }]
  })
}

/** Lines as conditions; null where one is not filled in, or two say the same comparison of one field. */
export function conditionsOf(rows: readonly ConditionRow[]): Conditions | null {
  const conditions: Record<string, Condition> = {}
  for (const { field, operator, values } of rows) {
    const [first] = values
    if (field === '' || first === undefined || first === '') return null
    const known = conditions[field]
    const value = takesMany(operator) ? values : first
    if (operator === 'is' && known === undefined) {
      conditions[field] = first
      continue
    }
    const name = operator === 'is' ? '$eq' : (`$${operator}` as const)
    const before = known === undefined ? {} : isPlain(known) ? { $eq: known } : known
    if (name in before) return null
    conditions[field] = { ...before, [name]: value }
  }
  return conditions
}

function isPlain(condition: Condition): condition is Value {
  return condition === null || typeof condition !== 'object'
}
