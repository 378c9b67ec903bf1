import type { z } from 'zod'
import type { conditionSchema } from '@weft/contract/core/permissions'

/** One condition on a field, as rules write it. */
export type Condition = z.infer<typeof conditionSchema>
/** The conditions of a rule; all of them must hold. */
export type Conditions = Readonly<Record<string, Condition>>
export type Scalar = string | number | boolean | null
export type Operator = '$eq' | '$ne' | '$in' | '$nin' | '$lt' | '$lte' | '$gt' | '$gte'

/** One comparison of a field with a value. */
export interface Comparison {
  field: string
  operator: Operator
  value: Scalar | Scalar[]
}

/** Whether a condition is written with operators, and not as a bare value. */
export function isOperators(condition: Condition): condition is Exclude<Condition, Scalar> {
  return typeof condition === 'object' && condition !== null
}

/** Conditions as single comparisons; a bare value means equal. */
export function comparisons(conditions: Conditions): Comparison[] {
  return Object.entries(conditions).flatMap(([field, condition]) =>
    isOperators(condition)
      ? (Object.entries(condition) as [Operator, Scalar | Scalar[] | undefined][]).flatMap(
          ([operator, value]) => (value === undefined ? [] : [{ field, operator, value }]),
        )
      : [{ field, operator: '$eq' as const, value: condition }],
  )
}
