import { and, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { ALL_ROWS } from '@weft/contract/core/list'
import type { Tx } from '../db/connection.ts'
import { AllRows, type ListAnswer } from './answers.ts'
import { foundBy } from './list-letters.ts'
import {
  keysOf,
  orderOf,
  within,
  wordsOf,
  type ListInput,
  type ListSource,
  type RowsQuery,
  type Total,
} from './list-query.ts'
import { searchedPage } from './list-search.ts'
import { readInBatches } from './list-stream.ts'
import { sharedRead } from './shared-read.ts'

export { foundBy } from './list-letters.ts'
export type { ListInput, ListSource } from './list-query.ts'

/** Counts up to this are exact; beyond, the planner's estimate is given and marked. */
const EXACT_COUNT = 10_000

/** One page of a list, or every row as a stream when `perPage` is -1. */
export async function listOf<Row, Out>(
  tx: Tx,
  input: ListInput,
  source: ListSource<Row, Out>,
): Promise<ListAnswer<Out>> {
  const where = and(...source.where, foundBy(input.q, source))
  const kept = wordsOf(input.q).length === 0 ? source.total : undefined
  if (input.perPage === ALL_ROWS) {
    const { total } = kept ? await keptTotal(tx, kept) : await countRows(tx, source, where)
    return new AllRows(streamOf(tx, input, source), total)
  }
  const found = await searchedPage(tx, input, source)
  const rows = found ? found.rows : await shared(tx, pageOf(tx, input, source, where, kept))
  const { total, estimated } =
    found?.count ??
    (kept ? (totalIn(rows) ?? (await keptTotal(tx, kept))) : await countRows(tx, source, where))
  return {
    data: [...(await source.present(rows, tx))],
    totalRecord: total,
    totalPage: Math.ceil(total / input.perPage),
    ...(estimated ? { totalEstimated: true } : {}),
  }
}

/** The rows of a query, read once for all who ask for them. */
function shared<Row>(tx: Tx, query: RowsQuery<Row>): Promise<readonly Row[]> {
  return sharedRead(tx, query.getSQL(), () => query)
}

/**
 * The query of one page's rows; with a kept total, it stands beside each of them. Of a far page the ids are found first, in
 * the index alone, so that nothing is worked out for rows that are passed over.
 */
export function pageOf<Row, Out>(
  tx: Tx,
  input: ListInput,
  source: ListSource<Row, Out>,
  where: SQL | undefined,
  kept?: SQL,
): RowsQuery<Row> {
  const rows = source.rows(tx, kept ? { [KEPT]: sql`(${kept})` } : {})
  const order = orderOf(input, source)
  const offset = (input.page - 1) * input.perPage
  if (offset < FAR || source.keys) return rows.where(where).orderBy(...within(order, input.perPage, offset))
  const ids = keysOf(tx, source)
    .where(where)
    .orderBy(...within(order, input.perPage, offset))
  return rows.where(sql`${source.id} = any(array(${ids.getSQL()}))`).orderBy(...order)
}

const FAR = 500

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
export function streamOf<Row, Out>(
  tx: Tx,
  input: Pick<ListInput, 'q' | 'sortBy' | 'sortDesc'>,
  source: ListSource<Row, Out>,
): AsyncIterable<Out> {
  const where = and(...source.where, foundBy(input.q, source))
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

const counted = z.object({ n: z.coerce.number() })
const explained = z.object({
  'QUERY PLAN': z.array(z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })),
})

async function countRows<Row, Out>(
  tx: Tx,
  source: ListSource<Row, Out>,
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
