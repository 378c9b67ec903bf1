import { and, asc, desc, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgSelect, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { ALL_ROWS } from '@weft/contract/core/list'
import type { Tx } from '../db/connection.ts'
import { AllRows, type ListAnswer } from './answers.ts'
import { readInBatches } from './list-stream.ts'

type Sortable = PgColumn | SQL

/** Where the rows of a list come from and how it may be searched and sorted. */
export interface ListSource<Q extends PgSelect, Out> {
  /**
   * Selects whole rows, without conditions: `(tx) => tx.select({…}).from(…).leftJoin(…).$dynamic()`; with further values
   * beside them, where the list has a kept total.
   */
  rows: (tx: Tx, more?: Readonly<Record<string, SQL>>) => Q
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
  present: (rows: Q['_']['result'], tx: Tx) => readonly Out[] | Promise<readonly Out[]>
}

/** The common part of a list's input. */
export interface ListInput {
  q?: string | undefined
  page: number
  perPage: number
  sortBy?: string | undefined
  sortDesc?: boolean | undefined
}

/** Counts up to this are exact; beyond, the planner's estimate is given and marked. */
export const EXACT_COUNT = 100_000

/** One page of a list, or every row as a stream when `perPage` is -1. */
export async function listOf<Q extends PgSelect, Out>(
  tx: Tx,
  input: ListInput,
  source: ListSource<Q, Out>,
): Promise<ListAnswer<Out>> {
  const where = and(...source.where, searchFor(input.q, source.search ?? []))
  const kept = searchFor(input.q, source.search ?? []) === undefined ? source.total : undefined
  if (input.perPage === ALL_ROWS) {
    const { total } = kept ? await keptTotal(tx, kept) : await countRows(tx, source, where)
    return new AllRows(streamOf(tx, input, source), total)
  }
  const rows = await pageOf(tx, input, source, where, kept)
  const { total, estimated } = kept
    ? (totalIn(rows) ?? (await keptTotal(tx, kept)))
    : await countRows(tx, source, where)
  return {
    data: [...(await source.present(rows, tx))],
    totalRecord: total,
    totalPage: Math.ceil(total / input.perPage),
    ...(estimated ? { totalEstimated: true } : {}),
  }
}

interface Total {
  total: number
  estimated: boolean
}

/** The query of one page's rows; with a kept total, it stands beside each of them. */
export function pageOf<Q extends PgSelect, Out>(
  tx: Tx,
  input: ListInput,
  source: ListSource<Q, Out>,
  where: SQL | undefined,
  kept?: SQL,
): Q {
  return source
    .rows(tx, kept ? { [KEPT]: sql`(${kept})` } : {})
    .where(where)
    .orderBy(...orderOf(input, source))
    .limit(input.perPage)
    .offset((input.page - 1) * input.perPage)
}

const KEPT = 'keptTotal'
const rowWithTotal = z.object({ [KEPT]: z.coerce.number() })

function totalIn(rows: readonly unknown[]): Total | undefined {
  const parsed = rowWithTotal.safeParse(rows[0])
  return parsed.success ? { total: parsed.data[KEPT], estimated: false } : undefined
}

/** The total of a page that has no row to tell it. */
async function keptTotal(tx: Tx, kept: SQL): Promise<Total> {
  const found = await tx.execute(sql`select (${kept}) as n`)
  return { total: counted.parse(found.rows[0]).n, estimated: false }
}

/** Every row that a list query matches, read by a cursor: for exports and actions on all that match. */
export function streamOf<Q extends PgSelect, Out>(
  tx: Tx,
  input: Pick<ListInput, 'q' | 'sortBy' | 'sortDesc'>,
  source: ListSource<Q, Out>,
): AsyncIterable<Out> {
  const where = and(...source.where, searchFor(input.q, source.search ?? []))
  return readInBatches(
    tx,
    (at) =>
      keysOf(at, source)
        .where(where)
        .orderBy(...orderOf(input, source))
        .getSQL(),
    async (at, ids) => {
      const given = sql`${sql.param([...ids])}::uuid[]`
      const rows = await source
        .rows(at)
        .where(sql`${source.id} = any(${given})`)
        .orderBy(sql`array_position(${given}, ${source.id})`)
      return source.present(rows, at)
    },
  )
}

function keysOf<Q extends PgSelect, Out>(tx: Tx, source: ListSource<Q, Out>): PgSelect {
  return source.keys?.(tx) ?? tx.select({ id: source.id }).from(source.table).$dynamic()
}

/** Each word of `q` must stand somewhere in one of the columns. */
export function searchFor(q: string | undefined, columns: readonly Sortable[]): SQL | undefined {
  const words = (q ?? '').split(/\s+/).filter(Boolean).slice(0, 8)
  if (words.length === 0 || columns.length === 0) return undefined
  return and(
    ...words.map((word) => {
      const pattern = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
      return or(...columns.map((column) => sql`${column} ilike ${pattern}`))
    }),
  )
}

function orderOf<Q extends PgSelect, Out>(
  input: Pick<ListInput, 'sortBy' | 'sortDesc'>,
  { sort, defaultSort, id, nullsFirst }: ListSource<Q, Out>,
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

const counted = z.object({ n: z.coerce.number() })
const explained = z.object({
  'QUERY PLAN': z.array(z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })),
})

async function countRows<Q extends PgSelect, Out>(
  tx: Tx,
  source: ListSource<Q, Out>,
  where: SQL | undefined,
): Promise<Total> {
  const limited = keysOf(tx, source)
    .where(where)
    .limit(EXACT_COUNT + 1)
    .getSQL()
  const count = await tx.execute(sql`select count(*) as n from (${limited}) as matching`)
  const { n } = counted.parse(count.rows[0])
  if (n <= EXACT_COUNT) return { total: n, estimated: false }
  const all = keysOf(tx, source).where(where).getSQL()
  const plan = await tx.execute(sql`explain (format json) ${all}`)
  const planned = explained.parse(plan.rows[0])['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? n
  return { total: Math.max(n, planned), estimated: true }
}
