import { and, getTableName, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../db/connection.ts'
import { anyOf } from './recordset.ts'
import {
  orderOf,
  searchFor,
  wordsOf,
  within,
  type ListInput,
  type ListSource,
  type Total,
} from './list-query.ts'

/** What few rows have is found by its letters and put in order; what many have is met soon by going in order. */
const FEW = 1000
/** How far to go in order before all that match are sorted. */
const AHEAD = 20_000
const SAMPLE = 4000

const idRow = z.object({ id: z.string() })
const sampleRow = z.object({ hits: z.coerce.number() })
const sizeRow = z.object({ size: z.coerce.number() })

/**
 * The page of a list with `q`, where its conditions look at one table with an index of letters. The database cannot know how
 * many rows have some letters in the midst of a text, and takes the wrong way as often as the right one; so it is tried out
 * first. Undefined where the list is none of these.
 */
export async function searchedPage<Row, Out>(
  tx: Tx,
  input: ListInput,
  source: ListSource<Row, Out>,
): Promise<({ rows: Row[] } & Total) | undefined> {
  const words = wordsOf(input.q)
  const search = searchFor(input.q, source.search ?? [])
  if (!search || source.keys) return undefined
  const others = and(...source.where)
  const few = words.some(hasLetters) ? await fewIds(tx, source, and(others, search)) : undefined
  const order = orderOf(input, source)
  const offset = (input.page - 1) * input.perPage
  const ids = few ?? (await manyIds(tx, source, others, search, { order, offset, limit: input.perPage }))
  const rows = await source
    .rows(tx)
    .where(sql`${source.id} = ${anyOf(ids)}`)
    .orderBy(...(few ? within(order, input.perPage, offset) : order))
  if (few) return { rows, total: few.length, estimated: false }
  // A page that is not full is the last one, and says how many there are.
  if (ids.length < input.perPage && (ids.length > 0 || offset === 0))
    return { rows, total: offset + ids.length, estimated: false }
  const least = Math.max(offset + ids.length, FEW + 1)
  return {
    rows,
    total: Math.max(least, await aboutHowMany(tx, source, and(others, search))),
    estimated: true,
  }
}

/** The index of letters knows three of them in a row. */
const hasLetters = (word: string) => /[\p{L}\p{N}]{3}/u.test(word)

/** All ids that match, or undefined where they are not few. */
async function fewIds<Row, Out>(
  tx: Tx,
  { table, id }: ListSource<Row, Out>,
  where: SQL | undefined,
): Promise<string[] | undefined> {
  const ids = await byLetters(tx, sql`select ${id} as id from ${table} where ${where} limit ${FEW + 1}`)
  return ids.length > FEW ? undefined : ids
}

/** The ids of a page of many: met by going through the list's first rows in order, or else sorted out of all that match. */
async function manyIds<Row, Out>(
  tx: Tx,
  { table, id }: ListSource<Row, Out>,
  others: SQL | undefined,
  search: SQL,
  page: { order: readonly SQL[]; offset: number; limit: number },
): Promise<string[]> {
  const order = sql.join([...page.order], sql`, `)
  const first = sql`select ${table}.* from ${table} where ${others ?? sql`true`} order by ${order} limit ${sql.raw(String(AHEAD))}`
  const met = await tx.execute(sql`
    select ${id} as id from (${first}) as ${sql.identifier(getTableName(table))} where ${search}
    limit ${sql.raw(String(page.limit))} offset ${page.offset}`)
  if (met.rows.length === page.limit) return met.rows.map((row) => idRow.parse(row).id)
  const all = and(others, search) ?? search
  return byLetters(
    tx,
    sql`select ${id} as id from ${table} where ${all} order by ${order} limit ${page.limit} offset ${page.offset}`,
  )
}

/** Runs a query of ids by the index of letters, and not by reading all rows, in whatever order. */
async function byLetters(tx: Tx, query: SQL): Promise<string[]> {
  const { rows } = await tx.transaction(
    async (at) => {
      await at.execute(
        sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`,
      )
      const found = await at.execute(query)
      await at.execute(
        sql`select set_config('enable_seqscan', 'on', true), set_config('enable_indexscan', 'on', true)`,
      )
      return found
    },
    { accessMode: 'read only' },
  )
  return rows.map((row) => idRow.parse(row).id)
}

/** About how many match, by looking at some pages of the table. */
async function aboutHowMany<Row, Out>(
  tx: Tx,
  { table }: ListSource<Row, Out>,
  where: SQL | undefined,
): Promise<number> {
  const size = await tx.execute(
    sql`select greatest(reltuples, 1) as size from pg_class where oid = ${getTableName(table)}::regclass`,
  )
  const part = Math.min(100, (SAMPLE / sizeRow.parse(size.rows[0]).size) * 100)
  const sample = await tx.execute(sql`
    select count(*) as hits from ${table} tablesample system (${part}) where ${where}`)
  return Math.round((sampleRow.parse(sample.rows[0]).hits * 100) / part)
}
