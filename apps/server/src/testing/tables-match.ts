import { sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Tx } from '../db/connection.ts'

const columnRow = z.object({
  name: z.string(),
  type: z.string(),
  required: z.boolean(),
  hasDefault: z.boolean(),
  computed: z.boolean(),
})
type ColumnRow = z.infer<typeof columnRow>

/** Fails where a table as the code knows it differs from the migrated one: columns, types, nullability, defaults. */
export async function expectTablesMatch(db: Tx, tables: readonly PgTable[]): Promise<void> {
  for (const table of tables) {
    const { name, columns } = getTableConfig(table)
    const actual = await columnsOf(db, name)
    expect({ table: name, columns: describe(columns, actual) }).toEqual({
      table: name,
      columns: Object.fromEntries(
        actual
          // What the database computes for its own searching need not be known to the code.
          .filter((row) => !row.computed || columns.some((column) => column.name === row.name))
          .map((row) => [row.name, shapeOf(row)]),
      ),
    })
  }
}

async function columnsOf(db: Tx, table: string): Promise<ColumnRow[]> {
  const { rows } = await db.execute(sql`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
      (a.atthasdef or a.attidentity <> '') as "hasDefault", a.attgenerated <> '' as computed
    from pg_attribute a
    where a.attrelid = to_regclass(${`"${table}"`}) and a.attnum > 0 and not a.attisdropped`)
  return rows.map((row) => columnRow.parse(row))
}

const shapeOf = ({ type, required, hasDefault }: Pick<ColumnRow, 'type' | 'required' | 'hasDefault'>) => ({
  type,
  required,
  hasDefault,
})

/** The code may leave a default to the database, but may not count on one that is not there. */
function describe(columns: readonly PgColumn[], actual: readonly ColumnRow[]) {
  return Object.fromEntries(
    columns.map((column) => [
      column.name,
      shapeOf({
        type: typeOf(column),
        required: column.notNull || column.primary,
        hasDefault:
          column.hasDefault || (actual.find((row) => row.name === column.name)?.hasDefault ?? false),
      }),
    ]),
  )
}

/** Drizzle writes `timestamp (3) with time zone`, Postgres `timestamp(3) with time zone`. */
function typeOf(column: PgColumn): string {
  return column
    .getSQLType()
    .replace(/^bigserial$/, 'bigint')
    .replace(/ \((\d+)\)/, '($1)')
}
