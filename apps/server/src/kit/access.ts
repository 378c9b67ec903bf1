import { Ability, fieldPatternMatcher, type MatchConditions } from '@casl/ability'
import { and, isNotNull, isNull, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import {
  ANONYMOUS_RULES,
  type Action,
  type conditionSchema,
  type Rule,
  type Subject,
} from '@weft/contract/core/permissions'
import type { Decisions, ScopeColumns } from './context.ts'

type Condition = z.infer<typeof conditionSchema>
type Conditions = Readonly<Record<string, Condition>>
type Scalar = string | number | boolean | null
type Operator = '$eq' | '$ne' | '$in' | '$nin' | '$lt' | '$lte' | '$gt' | '$gte'

/** A subject that CASL can tell apart, around the record that conditions look at. */
class Tagged {
  readonly type: string
  readonly fields: object
  constructor(type: string, fields: object) {
    this.type = type
    this.fields = fields
  }
}

type RecordAbility = Ability<[string, string | Tagged], Conditions>

/**
 * Decides by one person's rules, for a record in memory and for rows in SQL, from the same conditions. `${user.id}` in
 * a condition is that person's id. What anybody may do is always among the rules.
 */
export function decisionsFor(rules: readonly Rule[], userId: string | null): Decisions {
  const filled = effectiveRules(rules, userId)
  const ability = new Ability<[string, string | Tagged], Conditions>(filled, {
    conditionsMatcher: matcherOf,
    fieldMatcher: fieldPatternMatcher,
    detectSubjectType: (subject: Tagged) => subject.type,
  })
  return {
    can: (action, subject, record, field) =>
      ability.can(action, record ? new Tagged(subject, record) : subject, field),
    scope: (action, subject, columns) => scopeOf(ability, action, subject, columns),
  }
}

/** A person's rules with what anybody may do, the conditions filled with that person's id. */
export function effectiveRules(rules: readonly Rule[], userId: string | null): Rule[] {
  return [...ANONYMOUS_RULES, ...rules].map((rule) => ({
    ...rule,
    ...(rule.conditions ? { conditions: fillConditions(rule.conditions, userId) } : {}),
  }))
}

function fillConditions(conditions: Conditions, userId: string | null): Conditions {
  const fill = (value: Scalar): Scalar => (value === '${user.id}' ? userId : value)
  return Object.fromEntries(
    Object.entries(conditions).map(([field, condition]) => [
      field,
      isOperators(condition)
        ? Object.fromEntries(
            Object.entries(condition).map(([operator, value]) => [
              operator,
              Array.isArray(value) ? value.map(fill) : fill(value),
            ]),
          )
        : fill(condition),
    ]),
  )
}

function isOperators(condition: Condition): condition is Exclude<Condition, Scalar> {
  return typeof condition === 'object' && condition !== null
}

/** A condition as single comparisons; a bare value means equal. */
function comparisons(
  conditions: Conditions,
): { field: string; operator: Operator; value: Scalar | Scalar[] }[] {
  return Object.entries(conditions).flatMap(([field, condition]) =>
    isOperators(condition)
      ? (Object.entries(condition) as [Operator, Scalar | Scalar[] | undefined][]).flatMap(
          ([operator, value]) => (value === undefined ? [] : [{ field, operator, value }]),
        )
      : [{ field, operator: '$eq' as const, value: condition }],
  )
}

function matcherOf(conditions: Conditions): MatchConditions {
  const tests = comparisons(conditions)
  return (subject: object) =>
    subject instanceof Tagged &&
    tests.every(({ field, operator, value }) => holds(operator, scalarOf(subject.fields, field), value))
}

function scalarOf(record: object, field: string): Scalar {
  const value: unknown = Reflect.get(record, field)
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Null is equal to null and to nothing else, and is neither less nor more than anything: as the SQL below says. */
function holds(operator: Operator, actual: Scalar, wanted: Scalar | Scalar[]): boolean {
  switch (operator) {
    case '$eq':
      return actual === wanted
    case '$ne':
      return actual !== wanted
    case '$in':
      return Array.isArray(wanted) && wanted.includes(actual)
    case '$nin':
      return Array.isArray(wanted) && !wanted.includes(actual)
    default:
      return inOrder(operator, actual, wanted)
  }
}

function inOrder(operator: Operator, actual: Scalar, wanted: Scalar | Scalar[]): boolean {
  if (actual === null || wanted === null || Array.isArray(wanted) || typeof actual !== typeof wanted)
    return false
  const order =
    typeof actual === 'string' && typeof wanted === 'string'
      ? Buffer.compare(Buffer.from(actual), Buffer.from(wanted))
      : Number(actual) - Number(wanted)
  if (operator === '$lt') return order < 0
  if (operator === '$lte') return order <= 0
  return operator === '$gt' ? order > 0 : order >= 0
}

/**
 * CASL looks from the last rule to the first and takes the first that fits. In SQL: a row is allowed if some allowing
 * rule fits and no forbidding rule after it does.
 */
function scopeOf(ability: RecordAbility, action: Action, subject: Subject, columns: ScopeColumns): SQL {
  const allowed: SQL[] = []
  const forbidden: SQL[] = []
  for (const rule of ability.rulesFor(action, subject)) {
    if (rule.inverted && rule.fields) continue
    const fits = rule.conditions ? conditionsSql(rule.conditions, columns) : sql`true`
    if (rule.inverted) {
      if (!rule.conditions) break
      forbidden.push(not(fits))
      continue
    }
    const all = and(fits, ...forbidden)
    if (all) allowed.push(all)
    if (!rule.conditions && forbidden.length === 0) return sql`true`
    if (!rule.conditions) break
  }
  return or(...allowed) ?? sql`false`
}

function conditionsSql(conditions: unknown, columns: ScopeColumns): SQL {
  const parts = comparisons(conditions as Conditions).map(({ field, operator, value }) => {
    const column = columns[field]
    // A field that these rows do not have is null in memory too.
    return comparisonSql(operator, column ?? sql`null::text`, value)
  })
  return and(...parts) ?? sql`true`
}

function comparisonSql(operator: Operator, column: PgColumn | SQL, value: Scalar | Scalar[]): SQL {
  const values = Array.isArray(value) ? value : [value]
  const some = values.filter((one) => one !== null && fitsColumn(column, one))
  const withNull = values.includes(null)
  switch (operator) {
    case '$eq':
    case '$in':
      return memberSql(column, some, withNull)
    case '$ne':
    case '$nin':
      return not(memberSql(column, some, withNull))
    default: {
      const [bound] = some
      if (Array.isArray(value) || bound === undefined) return sql`false`
      const sign = { $lt: sql`<`, $lte: sql`<=`, $gt: sql`>`, $gte: sql`>=` }[operator]
      return sql`coalesce(${comparable(column, bound)} ${sign} ${parameter(column, bound)}, false)`
    }
  }
}

function memberSql(column: SQLWrapper, values: readonly Scalar[], orNull: boolean): SQL {
  const member =
    values.length > 0
      ? and(
          isNotNull(column),
          sql`${column} in (${sql.join(
            values.map((one) => parameter(column, one)),
            sql`, `,
          )})`,
        )
      : undefined
  return or(member, orNull ? isNull(column) : undefined) ?? sql`false`
}

/** Text is ordered by its bytes on both sides, whatever the database's collation. */
function comparable(column: SQLWrapper, bound: Scalar): SQL {
  return typeof bound === 'string' && !isUuid(column) && !isTime(column)
    ? sql`${column} collate "C"`
    : sql`${column}`
}

function parameter(column: SQLWrapper, value: Scalar): SQL {
  if (isUuid(column)) return sql`${value}::uuid`
  if (isTime(column)) return sql`${value}::timestamptz`
  return sql`${value}`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A value of another kind than the column never equals it; Postgres would raise an error instead of saying so. */
function fitsColumn(column: SQLWrapper, value: Scalar): boolean {
  const kind = dataType(column)
  if (kind === undefined) return true
  if (isUuid(column)) return typeof value === 'string' && UUID.test(value)
  if (isTime(column)) return typeof value === 'string' && !Number.isNaN(Date.parse(value))
  if (kind === 'number' || kind === 'bigint') return typeof value === 'number'
  if (kind === 'boolean') return typeof value === 'boolean'
  return typeof value === 'string'
}

function dataType(column: SQLWrapper): string | undefined {
  return 'dataType' in column && typeof column.dataType === 'string' ? column.dataType : undefined
}

function isUuid(column: SQLWrapper): boolean {
  return 'columnType' in column && column.columnType === 'PgUUID'
}

function isTime(column: SQLWrapper): boolean {
  return dataType(column) === 'date'
}
