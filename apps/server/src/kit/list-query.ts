import { and, asc, desc, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgSelect, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/connection.ts'

/** What can be compared and put in order. */
export type Sortable = PgColumn | SQL

/** A query of rows to which conditions and an order may be added; it runs when it is awaited. Drizzle's are such. */
export interface RowsQuery<Row = unknown> extends PromiseLike<Row[]> {
  where(condition: SQL | undefined): RowsQuery<Row>
  orderBy(...order: SQL[]): RowsQuery<Row>
  getSQL(): SQL
}

/** Where the rows of a list come from and how it may be searched and sorted. */
export interface ListSource<Row, Out> {
  /**
   * Selects whole rows, without conditions: `(tx) => tx.select({…}).from(…).leftJoin(…).$dynamic()`; with further values
   * beside them, where the list has a kept total.
   */
  rows: (tx: Tx, more?: Readonly<Record<string, SQL>>) => RowsQuery<Row>
  /** A scalar query of the total that is kept, where the list without `q` is one whose total is. */
  total?: SQL | undefined
  table: PgTable
  id: PgColumn
  /** Selects only the id; needed where conditions or sorting look at a joined table. */
  keys?: (tx: Tx) => PgSelect
  /** The rules' scope, the trash, and the list's own filters. */
  where: readonly (SQL | undefined)[]
  /** Columns or expressions with a trigram index, which `q` looks into. */
  search?: readonly Sortable[]
  /** Columns by the names that `sortBy` may have; with those that decide between equal ones, before the id does. */
  sort: Readonly<Record<string, Sortable | readonly Sortable[]>>
  /** What is null comes first upwards, as the list's indexes have it; by default it comes last both ways. */
  nullsFirst?: boolean
  defaultSort: { by: string; desc?: boolean }
  /** Makes a batch of rows into what the contract promises. */
  present: (rows: readonly Row[], tx: Tx) => readonly Out[] | Promise<readonly Out[]>
}

/** The common part of a list's input. */
export interface ListInput {
  q?: string | undefined
  page: number
  perPage: number
  sortBy?: string | undefined
  sortDesc?: boolean | undefined
}

/** How many rows match; beyond what is counted, about how many. */
export interface Total {
  total: number
  estimated: boolean
}

/** Selects the ids of a list's rows, without conditions. */
export function keysOf<Row, Out>(tx: Tx, source: ListSource<Row, Out>): PgSelect {
  return source.keys?.(tx) ?? tx.select({ id: source.id }).from(source.table).$dynamic()
}

/** The words that `q` asks for. */
export function wordsOf(q: string | undefined): string[] {
  return (q ?? '').split(/\s+/).filter(Boolean).slice(0, 8)
}

/** Each word of `q` must stand somewhere in one of the columns. */
export function searchFor(q: string | undefined, columns: readonly Sortable[]): SQL | undefined {
  const words = wordsOf(q)
  if (words.length === 0 || columns.length === 0) return undefined
  return and(...words.map((word) => or(...columns.map((column) => contains(column, patternOf(word))))))
}

/** A pattern that finds a word wherever it stands. */
export const patternOf = (word: string) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** A column that is computed for searching is in lower case already. */
function contains(column: Sortable, pattern: string): SQL {
  return 'generated' in column && column.generated !== undefined
    ? sql`${column} like lower(${pattern})`
    : sql`${column} ilike ${pattern}`
}

/** The order that is asked for, the id last. */
export function orderOf<Row, Out>(
  input: Pick<ListInput, 'sortBy' | 'sortDesc'>,
  { sort, defaultSort, id, nullsFirst }: ListSource<Row, Out>,
): SQL[] {
  const by = input.sortBy ?? defaultSort.by
  const descending = input.sortDesc ?? (input.sortBy === undefined && defaultSort.desc === true)
  const found = sort[by]
  if (!found) throw new Error(`the list has no column for sorting by ${by}`)
  // Ties go the same way as the column, so that one index on (column, id) serves both directions.
  return [...(Array.isArray(found) ? found : [found]), id].map((column: Sortable) => {
    const mayBeNull = !('notNull' in column && column.notNull)
    if (descending) return mayBeNull ? sql`${column} desc nulls last` : desc(column)
    return mayBeNull && nullsFirst ? sql`${column} asc nulls first` : asc(column)
  })
}

/**
 * An order with a limit after it. The limit stands in the text: a statement that is prepared can be planned once for all
 * only where it is known that few rows are wanted.
 */
export function within(order: readonly SQL[], limit: number, offset: number): SQL[] {
  const last = order.at(-1) ?? sql`1`
  const from = offset > 0 ? sql` offset ${offset}` : sql``
  return [...order.slice(0, -1), sql`${last} limit ${sql.raw(String(Math.trunc(limit)))}${from}`]
}
