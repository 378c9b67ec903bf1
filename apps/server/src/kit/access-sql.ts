import type { Ability } from '@casl/ability'
import { and, isNotNull, isNull, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { comparisons, type Conditions, type Operator, type Scalar } from './access-conditions.ts'
import type { Tagged } from './access-match.ts'
import { Through } from './access-through.ts'
import type { ScopeColumns } from './context.ts'

/** Rules in CASL's index, over tagged records. */
export type RecordAbility = Ability<[string, string | Tagged], Conditions>

/** Whose records a scope allows where that is all it asks: everybody's, or those of some owners. */
export type Breadth = 'all' | readonly string[]

const breadths = new WeakMap<SQL, Breadth>()

/** What a scope comes to, where it asks for nothing but the owner; what may be counted without looking at the records. */
export function breadthOf(scope: SQL): Breadth | undefined {
  return breadths.get(scope)
}

/** The condition of the rules for an action, as `scopeSql` makes it. */
export function scopeOf(ability: RecordAbility, action: string, subject: string, columns: ScopeColumns): SQL {
  const scope = scopeSql(ability, action, subject, columns)
  const breadth = breadthFor(ability, action, subject)
  if (breadth) breadths.set(scope, breadth)
  return scope
}

function breadthFor(ability: RecordAbility, action: string, subject: string): Breadth | undefined {
  const owners: string[] = []
  for (const rule of ability.rulesFor(action, subject)) {
    if (rule.inverted) {
      if (rule.fields) continue
      return rule.conditions ? undefined : owners
    }
    if (!rule.conditions) return 'all'
    for (const { field, operator, value } of comparisons(rule.conditions)) {
      if (field !== 'ownerId' || operator !== '$eq' || typeof value !== 'string' || !UUID.test(value))
        return undefined
      owners.push(value)
    }
    // Two owners at once is nobody.
    if (comparisons(rule.conditions).length !== 1) return undefined
  }
  return owners
}

/**
 * CASL looks from the last rule to the first and takes the first that fits. In SQL: a row is allowed if some allowing
 * rule fits and no forbidding rule after it does.
 */
function scopeSql(ability: RecordAbility, action: string, subject: string, columns: ScopeColumns): SQL {
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

function comparisonSql(operator: Operator, column: PgColumn | SQL | Through, value: Scalar | Scalar[]): SQL {
  if (column instanceof Through) return throughSql(operator, column, value)
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
    default:
      return Array.isArray(value) ? sql`false` : orderSql(operator, column, value)
  }
}

/** The same of a field that another record holds; where there is no such record it is null. */
function throughSql(operator: Operator, through: Through, value: Scalar | Scalar[]): SQL {
  const { column } = through
  if (operator === '$ne' || operator === '$nin')
    return not(throughSql(operator === '$ne' ? '$eq' : '$in', through, value))
  if (operator !== '$eq' && operator !== '$in') return through.where(comparisonSql(operator, column, value))
  const values = Array.isArray(value) ? value : [value]
  const some = values.filter((one) => one !== null && fitsColumn(column, one))
  const member = some.length > 0 ? through.where(memberSql(column, some, false)) : undefined
  const absent = values.includes(null) ? not(through.where(isNotNull(column))) : undefined
  return or(member, absent) ?? sql`false`
}

/** Text is ordered by its bytes on both sides, whatever the database's collation; ids as the text they are written in. */
function orderSql(operator: '$lt' | '$lte' | '$gt' | '$gte', column: PgColumn | SQL, bound: Scalar): SQL {
  const sign = { $lt: sql`<`, $lte: sql`<=`, $gt: sql`>`, $gte: sql`>=` }[operator]
  if (typeof bound === 'string' && isUuid(column))
    return sql`coalesce(${column}::text collate "C" ${sign} ${bound}, false)`
  if (bound === null || !fitsColumn(column, bound)) return sql`false`
  const left = typeof bound === 'string' && !isTime(column) ? sql`${column} collate "C"` : sql`${column}`
  return sql`coalesce(${left} ${sign} ${parameter(column, bound)}, false)`
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
