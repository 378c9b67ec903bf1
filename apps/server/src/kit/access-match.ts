import type { MatchConditions } from '@casl/ability'
import { comparisons, type Conditions, type Operator, type Scalar } from './access-conditions.ts'

/** A record with its subject, which CASL could not tell from the record itself. */
export class Tagged {
  readonly type: string
  readonly fields: object
  constructor(type: string, fields: object) {
    this.type = type
    this.fields = fields
  }
}

/** Tests a record in memory against a rule's conditions, as the SQL of the same conditions would. */
export function matcherOf(conditions: Conditions): MatchConditions {
  const tests = comparisons(conditions)
  return (subject: object) =>
    subject instanceof Tagged &&
    tests.every(({ field, operator, value }) => holds(operator, scalarOf(subject.fields, field), value))
}

function scalarOf(record: object, field: string): Scalar | Date {
  const value: unknown = Reflect.get(record, field)
  if (value instanceof Date) return value
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Null is equal to null and to nothing else, and is neither less nor more than anything: as the SQL below says. */
function holds(operator: Operator, actual: Scalar | Date, wanted: Scalar | Scalar[]): boolean {
  const isOne = (one: Scalar) => (actual instanceof Date ? actual.getTime() === timeOf(one) : actual === one)
  switch (operator) {
    case '$eq':
      return !Array.isArray(wanted) && isOne(wanted)
    case '$ne':
      return !Array.isArray(wanted) && !isOne(wanted)
    case '$in':
      return Array.isArray(wanted) && wanted.some(isOne)
    case '$nin':
      return Array.isArray(wanted) && !wanted.some(isOne)
    default:
      return !Array.isArray(wanted) && inOrder(operator, actual, wanted)
  }
}

function inOrder(operator: Operator, actual: Scalar | Date, wanted: Scalar): boolean {
  const order = orderOf(actual, wanted)
  if (order === undefined) return false
  if (operator === '$lt') return order < 0
  if (operator === '$lte') return order <= 0
  return operator === '$gt' ? order > 0 : order >= 0
}

/** Which comes first, of two of a kind; undefined of two that have no order. */
function orderOf(actual: Scalar | Date, wanted: Scalar): number | undefined {
  if (actual instanceof Date) {
    const time = timeOf(wanted)
    return time === undefined ? undefined : actual.getTime() - time
  }
  if (typeof actual === 'string' && typeof wanted === 'string')
    return Buffer.compare(Buffer.from(actual), Buffer.from(wanted))
  const ordered = typeof actual === 'number' || typeof actual === 'boolean'
  return ordered && typeof actual === typeof wanted ? Number(actual) - Number(wanted) : undefined
}

function timeOf(value: Scalar): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
