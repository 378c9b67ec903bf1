import { and, getTableName, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../db/connection.ts'
import { anyOf } from './recordset.ts'
import { apartFor, foundBy, hasLetters, type Apart } from './list-letters.ts'
import { orderOf, searchFor, wordsOf, type ListInput, type ListSource, type Total } from './list-query.ts'

/** What few rows have is found by its letters and put in order; what many have is met soon by going in order. */
const FEW = 5000
/** How far to go in order before all that match are sorted. */
const AHEAD = 20_000
/** So many rows are looked at to see how many match; of so many hits, those of the whole table are not few. */
const SAMPLE = 4000
/** How many rows a page of a table is taken to hold that nobody has counted yet: rather too few, so that small ones are seen whole. */
const ROWS_ON_PAGE = 10
const SURE = 20
/** Where what matches is spread evenly, a page is met within so many times the way that it takes on average. */
const SLACK = 4

const idRow = z.object({ id: z.string() })
const sampleRow = z.object({
  hits: z.coerce.number(),
  rows: z.coerce.number(),
  texts: z.coerce.number(),
  lettered: z.coerce.number(),
  part: z.coerce.number(),
  place: z.coerce.number().nullable(),
  bound: z.string().nullable(),
})

/**
 * The page of a list with `q`, where its conditions look at one table with an index of letters. The database cannot know how
 * many rows have some letters in the midst of a text, and takes the wrong way as often as the right one; so it is tried out
 * first. Undefined where the list is none of these; without a count, where that has to be found in the usual way.
 */
export async function searchedPage<Row, Out>(
  tx: Tx,
  input: ListInput,
  source: ListSource<Row, Out>,
): Promise<{ rows: Row[]; count: Total | undefined } | undefined> {
  const words = wordsOf(input.q)
  const search = searchFor(input.q, source.search ?? [])
  if (!search || source.keys) return undefined
  const others = and(...source.where)
  const lettered = words.some(hasLetters)
  const apart = apartFor(input.q, source)
  const order = orderOf(input, source)
  const offset = (input.page - 1) * input.perPage
  const limit = input.perPage
  // One more than is shown tells whether there is another page.
  const wanted = limit + 1
  const newest = apart ? newestOf(input, source) : undefined
  // What many have costs as much to find by its letters as all of it: it is not tried where it would be in vain.
  const letters = searchFor(words.filter(hasLetters).join(' '), source.search ?? []) ?? search
  const look = () => sampled(tx, source, { others, search, letters, order, newest })
  const first = apart ? await look() : undefined
  const isCommon = first !== undefined && first.lettered >= SURE
  const few =
    lettered && !isCommon
      ? await fewIds(tx, source, and(others, foundBy(input.q, source)), { order, offset, limit })
      : undefined
  if (few) {
    const rows = await rowsOf(tx, source, few.ids, order)
    return { rows, count: { total: few.count, estimated: false } }
  }
  const sample = first ?? (await look())
  const page: Page = {
    order,
    offset,
    limit: wanted,
    newest,
    // What not many have is soon found by its letters; in order it would be met late.
    ahead: isCommon || !apart ? aheadOf(sample, offset + wanted) : 0,
    isNarrow: sample.rows < sample.texts,
    reach: reachOf(sample, offset + wanted),
    bound: sample.bound,
  }
  const met = await manyIds(tx, source, others, { search, apart }, page)
  const rows = await rowsOf(tx, source, met.slice(0, limit), order)
  // A page after which nothing comes is the last one, and says how many there are.
  if (met.length < wanted && (met.length > 0 || offset === 0))
    return { rows, count: { total: offset + met.length, estimated: false } }
  // Where all was looked at, it is known anyway.
  if (sample.part === 1) return { rows, count: { total: sample.hits, estimated: false } }
  const about = Math.round(sample.hits / sample.part)
  // Beyond the last page it matters how many there are; what was seen is too little to tell when they are few.
  if (met.length === 0) return { rows, count: undefined }
  // Where they were looked for and were not few, there are many.
  const least = Math.max(offset + met.length, lettered && !isCommon ? FEW + 1 : 0)
  return { rows, count: { total: Math.max(least, about), estimated: true } }
}

function rowsOf<Row, Out>(
  tx: Tx,
  { rows, id }: ListSource<Row, Out>,
  ids: readonly string[],
  order: readonly SQL[],
): Promise<Row[]> | Row[] {
  if (ids.length === 0) return []
  return Promise.resolve(
    rows(tx)
      .where(sql`${id} = ${anyOf(ids)}`)
      .orderBy(...order),
  )
}

/** A part of what matches, in an order. */
interface Part {
  order: readonly SQL[]
  offset: number
  limit: number
}

const fewRow = z.object({ ids: z.array(z.string()), count: z.number() })

/** A page of all that match and how many these are, or undefined where they are not few. */
async function fewIds<Row, Out>(
  tx: Tx,
  { table, id }: ListSource<Row, Out>,
  where: SQL | undefined,
  { order, offset, limit }: Part,
): Promise<z.infer<typeof fewRow> | undefined> {
  const [row] = await planned(
    tx,
    BY_LETTERS,
    sql`
      with found as materialized (select ${table}.* from ${table} where ${where} limit ${FEW + 1})
      select (select count(*) from found)::int as count, array(
        select ${id} from found as ${sql.identifier(getTableName(table))}
        order by ${sql.join([...order], sql`, `)} limit ${limit} offset ${offset}) as ids`,
  )
  const found = fewRow.parse(row)
  return found.count > FEW ? undefined : found
}

/** `newest` says which way, where the order is that of when records were made. */
interface Page extends Part {
  newest: boolean | undefined
  /** How many rows to go through in order before something else is tried. */
  ahead: number
  /** Fewer rows are listed at all than have what is searched for: it is looked for among those. */
  isNarrow: boolean
  /** How many of all that have the letters to look up, for a page of those that are listed. */
  reach: number
  /** When a record was made before which there is a page of them by all odds, the first of the order. */
  bound: string | null
}

/**
 * The way to go in order: about as far as it would take if what matches stood anywhere; one of few numbers, so that statements
 * are alike. None where the first that were seen stand so far down that it would be gone in vain.
 */
function aheadOf({ hits, rows, place, part }: Sample, wanted: number): number {
  if (hits === 0) return AHEAD
  if (place !== null && place / part > AHEAD && place * hits > FAR_DOWN * BEGIN * rows) return 0
  return Math.min(AHEAD, 2 ** Math.ceil(Math.log2((SLACK * wanted * rows) / hits + MARGIN)))
}

const MARGIN = 1000
/** What is spread evenly does not begin at so many times the way that it takes on average. */
const FAR_DOWN = 5

/** Twice as many as it takes where those that are listed are spread evenly among them. */
function reachOf({ hits, texts }: Sample, wanted: number): number {
  return Math.min(AHEAD, Math.ceil((2 * wanted * texts) / Math.max(1, hits))) + SPARE
}

const SPARE = 200

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
    const way = page.newest ? sql`desc` : sql`asc`
    const sign = page.newest ? sql`>=` : sql`<=`
    for (const bound of page.bound === null ? [null] : [page.bound, null]) {
      const near = bound === null ? sql`true` : sql`t.created_at ${sign} ${bound}::timestamptz`
      const [row] = await planned(
        tx,
        IN_TURN,
        sql`
          with top as materialized (
            select t.id from ${texts} where ${where} and ${near}
            order by t.created_at ${way}, t.id ${way} limit ${page.reach})
          select array(select ${id} from top cross join lateral ${rowOf(sql`top.id`)} ${part}) as ids,
            (select count(*) from top)::int as seen`,
      )
      const { ids, seen } = reached.parse(row)
      if (ids.length === page.limit || (bound === null && seen < page.reach)) return ids
      // So many were reached: more of them would not help.
      if (seen === page.reach) break
    }
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

const reached = z.object({ ids: z.array(z.string()), seen: z.number() })

/** Each found row is looked up by its id: no table is read whole for some of its rows. */
const IN_TURN = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
/** By the index of letters, and not by reading all rows, in whatever order. */
const BY_LETTERS = [...IN_TURN, 'enable_indexscan']

async function byLetters(tx: Tx, query: SQL): Promise<string[]> {
  const rows = await planned(tx, BY_LETTERS, query)
  return rows.map((row) => idRow.parse(row).id)
}

/**
 * Runs a query without some ways of the planner, who takes them for cheap where they are not, and in one process: to start
 * others takes as long as such a query, and longer where the machine is busy.
 */
function planned(tx: Tx, without: readonly string[], query: SQL): Promise<unknown[]> {
  const turned = (to: 'on' | 'off', workers: string) =>
    sql`select current_setting(${WORKERS}) as workers, ${sql.join(
      without.map((name) => sql`set_config(${name}, ${to}, true)`),
      sql`, `,
    )}, set_config(${WORKERS}, ${workers}, true)`
  return tx.transaction(
    async (at) => {
      const before = await at.execute(turned('off', '0'))
      const { rows } = await at.execute(query)
      await at.execute(turned('on', workersRow.parse(before.rows[0]).workers))
      return rows
    },
    { accessMode: 'read only' },
  )
}

const WORKERS = 'max_parallel_workers_per_gather'
const workersRow = z.object({ workers: z.string() })

/** What is seen in some pages of a table: how many rows the other conditions have, how many the search, how many both. */
interface Sample {
  hits: number
  rows: number
  texts: number
  /** How many have what the index of letters can find of the search. */
  lettered: number
  /** Which part of the table that is. */
  part: number
  /** How many of the seen rows that are listed come before the second hit, in the list's order. */
  place: number | null
  /** When a hit was made before which, in the order of that, some stand already. */
  bound: string | null
}

/** The second hit tells where they begin: a single one may stand apart. */
const BEGIN = 2
const BOUND = 8

async function sampled<Row, Out>(
  tx: Tx,
  { table }: ListSource<Row, Out>,
  list: {
    others: SQL | undefined
    search: SQL
    letters: SQL
    order: readonly SQL[]
    newest: boolean | undefined
  },
): Promise<Sample> {
  const { others, search, letters, order, newest } = list
  const name = sql.raw(`'${getTableName(table)}'`)
  const bound =
    newest === undefined
      ? sql`null::text`
      : sql`((array_agg(made order by made ${newest ? sql`desc` : sql`asc`}) filter (where hit))[${sql.raw(String(BOUND))}])::text`
  const { rows } = await tx.execute(sql`
    with size as materialized (
      select least(1, ${sql.raw(String(SAMPLE))} / greatest(1, pg_relation_size(oid) / current_setting('block_size')::int
        * case when reltuples > 0 and relpages > 0 then reltuples / relpages else ${sql.raw(String(ROWS_ON_PAGE))} end)) as part
      from pg_class where oid = ${name}::regclass),
    seen as (
      select (${others ?? sql`true`}) as listed, (${search}) as found, (${letters}) as lettered,
        ${newest === undefined ? sql`null` : sql`created_at`} as made,
        row_number() over (order by ${sql.join([...order], sql`, `)}) as nth
      from ${table} tablesample system ((select part * 100 from size))),
    told as (
      select *, coalesce(listed and found, false) as hit, count(*) filter (where listed) over (order by nth) as place from seen)
    select count(*) filter (where listed) as rows, count(*) filter (where found) as texts, count(*) filter (where hit) as hits,
      count(*) filter (where lettered) as lettered, (select part from size) as part,
      (array_agg(place order by place) filter (where hit))[${sql.raw(String(BEGIN))}] as place, ${bound} as bound
    from told`)
  return sampleRow.parse(rows[0])
}
