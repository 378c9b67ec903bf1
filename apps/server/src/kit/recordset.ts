import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** A type of a column of a record set, as Postgres names it. */
type ColumnType = 'uuid' | 'text' | 'int' | 'bigint' | 'float8' | 'boolean' | 'jsonb' | 'timestamptz'

/**
 * Rows as a table `v` to join with or insert from, one array for each column. The planner knows the number of rows of
 * arrays, which it does not for rows that come as JSON: there it takes a hundred, and reads whole tables for three rows.
 */
export function recordset<Column extends string>(
  columns: Readonly<Record<Column, ColumnType>>,
  rows: readonly Readonly<Record<Column, unknown>>[],
): SQL {
  const entries = Object.entries(columns) as [Column, ColumnType][]
  const arrays = entries.map(([name, type]) => {
    const values = rows.map((row) => {
      const value = row[name] ?? null
      return type === 'jsonb' && value !== null ? JSON.stringify(value) : value
    })
    return sql`${sql.param(values)}::${sql.raw(type)}[]`
  })
  return sql`unnest(${sql.join(arrays, sql`, `)}) as v (${sql.join(
    entries.map(([name]) => sql.identifier(name)),
    sql`, `,
  )})`
}

/** `any` of some ids, to compare an id with; the text of the statement does not change with their number. */
export const anyOf = (ids: readonly string[]): SQL => sql`any(${sql.param([...ids])}::uuid[])`

/**
 * Whether a record that is looked up by its id is in the trash. Said so that no index is for it: after many were thrown away the
 * database still takes the trash for empty, and would go through all of it for each part of them.
 */
export const isThrownAway = ({ deletedAt }: { deletedAt: PgColumn }): SQL =>
  sql`num_nonnulls(${deletedAt}) = 1`

/** Whether it is not, said in the same way: part by part, the database would go through all that this owner has. */
export const isAlive = ({ deletedAt }: { deletedAt: PgColumn }): SQL => sql`num_nonnulls(${deletedAt}) = 0`
