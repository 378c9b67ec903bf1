import { and, getTableName, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../db/connection.ts'
import { anyOf } from './recordset.ts'
import { apartFor, foundBy, hasLetters, type Apart } from './list-letters.ts'
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
/** So many rows are looked at to see how many match; of so many hits, those of the whole table are not few. */
const SAMPLE = 4000
const SURE = 20
/** Where what matches is spread evenly, a page is met within so many times the way that it takes on average. */
const SLACK = 4

const idRow = z.object({ id: z.string() })
const sampleRow = z.object({
  hits: z.coerce.number(),
  rows: z.coerce.number(),
  texts: z.coerce.number(),
  lettered: z.coerce.number(),
})
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
  const lettered = words.some(hasLetters)
  const apart = apartFor(input.q, source)
  // What many have costs as much to find by its letters as all of it: it is not tried where it would be in vain.
  const letters = searchFor(words.filter(hasLetters).join(' '), source.search ?? []) ?? search
  const look = apart ? await sampled(tx, source, others, { search, letters }) : undefined
  const isCommon = look !== undefined && look.lettered >= SURE
  const few =
    lettered && !isCommon ? await fewIds(tx, source, and(others, foundBy(input.q, source))) : undefined
  const sample = few ? undefined : (look ?? (await sampled(tx, source, others, { search, letters })))
  const order = orderOf(input, source)
  const offset = (input.page - 1) * input.perPage
  const page: Page = {
    order,
    offset,
    limit: input.perPage,
    newest: newestOf(input, source),
    // What not many have is soon found by its letters; in order it would be met late.
    ahead: sample && (isCommon || !apart) ? aheadOf(sample, offset + input.perPage) : 0,
    isNarrow: sample !== undefined && sample.rows < sample.texts,
  }
  const ids = few ?? (await manyIds(tx, source, others, { search, apart }, page))
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
    total: Math.max(least, sample ? Math.round(sample.hits / sample.part) : 0),
    estimated: true,
  }
}

/** All ids that match, or undefined where they are not few. */
async function fewIds<Row, Out>(
  tx: Tx,
  { table, id }: ListSource<Row, Out>,
  where: SQL | undefined,
): Promise<string[] | undefined> {
  const ids = await byLetters(tx, sql`select ${id} as id from ${table} where ${where} limit ${FEW + 1}`)
  return ids.length > FEW ? undefined : ids
}

/** A part of what matches, in an order; `newest` says which way, where the order is that of when records were made. */
interface Page {
  order: readonly SQL[]
  offset: number
  limit: number
  newest: boolean | undefined
  /** How many rows to go through in order before something else is tried. */
  ahead: number
  /** Fewer rows are listed at all than have what is searched for: it is looked for among those. */
  isNarrow: boolean
}

/** The way to go in order: about as far as it would take if what matches stood anywhere; one of few numbers, so that statements are alike. */
function aheadOf({ hits, rows }: Sample, wanted: number): number {
  return hits === 0 ? AHEAD : Math.min(AHEAD, 2 ** Math.ceil(Math.log2((SLACK * wanted * rows) / hits + FEW)))
}

function newestOf<Row, Out>(input: ListInput, { defaultSort }: ListSource<Row, Out>): boolean | undefined {
  if ((input.sortBy ?? defaultSort.by) !== 'createdAt') return undefined
  return input.sortDesc ?? (input.sortBy === undefined && defaultSort.desc === true)
}

/** The ids of a page of many: met by going through the list's first rows in order, or else sorted out of all that match. */
async function manyIds<Row, Out>(
  tx: Tx,
  { table, id }: ListSource<Row, Out>,
  others: SQL | undefined,
  { search, apart }: { search: SQL; apart: Apart | undefined },
  page: Page,
): Promise<string[]> {
  const order = sql.join([...page.order], sql`, `)
  if (page.ahead > 0) {
    const met = await metInOrder(tx, { table, id }, others, search, page)
    if (met.length === page.limit) return met
  }
  const part = sql`order by ${order} limit ${page.limit} offset ${page.offset}`
  const listed = sql`select ${id} as id from ${table} where ${and(others, search) ?? sql`true`} ${part}`
  if (page.isNarrow) return (await tx.execute(listed)).rows.map((row) => idRow.parse(row).id)
  if (!apart) return byLetters(tx, listed)
  const { texts, where, onRow } = apart
  const rest = and(others, onRow) ?? sql`true`
  // Looked up one by one: in the list's order, each of its rows would be compared with all that were found.
  const rowOf = (found: SQL) =>
    sql`(select * from ${table} where ${id} = ${found} and ${rest} offset 0) as ${sql.identifier(getTableName(table))}`
  if (page.newest !== undefined) {
    // Texts know when their records were made: of most searches the page is among the first of all that have the letters.
    const reach = 2 * (page.offset + page.limit) + SPARE
    const way = page.newest ? sql`desc` : sql`asc`
    const [row] = await planned(
      tx,
      IN_TURN,
      sql`
        with top as materialized (
          select t.id from ${texts} where ${where} order by t.created_at ${way}, t.id ${way} limit ${reach})
        select array(select ${id} from top cross join lateral ${rowOf(sql`top.id`)} ${part}) as ids,
          (select count(*) from top)::int as seen`,
    )
    const { ids, seen } = reached.parse(row)
    if (ids.length === page.limit || seen < reach) return ids
  }
  const rows = await planned(
    tx,
    IN_TURN,
    sql`
      select ${id} as id from (select t.id from ${texts} where ${where} offset 0) t
      cross join lateral ${rowOf(sql`t.id`)}
      ${part}`,
  )
  return rows.map((row) => idRow.parse(row).id)
}

/** What matches among the first rows of the list. */
async function metInOrder(
  tx: Tx,
  { table, id }: Pick<ListSource<unknown, unknown>, 'table' | 'id'>,
  others: SQL | undefined,
  search: SQL,
  { order, ahead, limit, offset }: Page,
): Promise<string[]> {
  const first = sql`select ${table}.* from ${table} where ${others ?? sql`true`}
    order by ${sql.join([...order], sql`, `)} limit ${sql.raw(String(ahead))}`
  const met = await tx.execute(sql`
    select ${id} as id from (${first}) as ${sql.identifier(getTableName(table))} where ${search}
    limit ${sql.raw(String(limit))} offset ${offset}`)
  return met.rows.map((row) => idRow.parse(row).id)
}

const SPARE = 200
const reached = z.object({ ids: z.array(z.string()), seen: z.number() })

/** Each found row is looked up by its id: no table is read whole for some of its rows. */
const IN_TURN = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']

/** Runs a query of ids by the index of letters, and not by reading all rows, in whatever order. */
async function byLetters(tx: Tx, query: SQL): Promise<string[]> {
  const rows = await planned(tx, [...IN_TURN, 'enable_indexscan'], query)
  return rows.map((row) => idRow.parse(row).id)
}

/** Runs a query without some ways of the planner, who takes them for cheap where they are not. */
function planned(tx: Tx, without: readonly string[], query: SQL): Promise<unknown[]> {
  const turned = (to: 'on' | 'off') =>
    sql`select ${sql.join(
      without.map((name) => sql`set_config(${name}, ${to}, true)`),
      sql`, `,
    )}`
  return tx.transaction(
    async (at) => {
      await at.execute(turned('off'))
      const { rows } = await at.execute(query)
      await at.execute(turned('on'))
      return rows
    },
    { accessMode: 'read only' },
  )
}

/** Of some pages of a table: how many rows the other conditions have, how many the search, how many both, and which part of the table that is. */
interface Sample {
  hits: number
  rows: number
  texts: number
  /** How many have what the index of letters can find of the search. */
  lettered: number
  part: number
}

async function sampled<Row, Out>(
  tx: Tx,
  { table }: ListSource<Row, Out>,
  others: SQL | undefined,
  { search, letters }: { search: SQL; letters: SQL },
): Promise<Sample> {
  const part = await partOf(tx, getTableName(table))
  const { rows } = await tx.execute(sql`
    select count(*) filter (where listed) as rows, count(*) filter (where found) as texts, count(*) filter (where listed and found) as hits,
      count(*) filter (where lettered) as lettered
    from (select (${others ?? sql`true`}) as listed, (${search}) as found, (${letters}) as lettered from ${table} tablesample system (${part * 100})) s`)
  return { ...sampleRow.parse(rows[0]), part }
}

/** Which part of a table has as many rows as a sample should. */
async function partOf(tx: Tx, table: string): Promise<number> {
  const { rows } = await tx.execute(
    sql`select greatest(reltuples, 1) as size from pg_class where oid = ${table}::regclass`,
  )
  return Math.min(1, SAMPLE / sizeRow.parse(rows[0]).size)
}
