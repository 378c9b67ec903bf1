import { and, getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { patternOf, searchFor, wordsOf, type Sortable } from './list-query.ts'

/** The tables whose texts stand apart with the index of letters, in one named after them. */
const APART = new Set(['client', 'account', 'profile', 'phone', 'proxy', 'video'])

/** The index of letters knows three of them in a row. */
export const hasLetters = (word: string): boolean => /[\p{L}\p{N}]{3}/u.test(word)

/** What a search asks of texts that stand apart, as `t`, and what it asks of the rows themselves. */
export interface Apart {
  texts: SQL
  where: SQL
  onRow: SQL | undefined
}

interface Searched {
  table: PgTable
  search?: readonly Sortable[] | undefined
}

/** How the rows that `q` means are found by the index of letters; undefined where the table has no texts apart. */
export function apartFor(q: string | undefined, { table, search }: Searched): Apart | undefined {
  const name = getTableName(table)
  const words = wordsOf(q)
  const lettered = words.filter(hasLetters)
  if (lettered.length === 0 || !APART.has(name)) return undefined
  const where = and(...lettered.map((word) => sql`t.text like lower(${patternOf(word)})`)) ?? sql`true`
  const others = words.filter((word) => !hasLetters(word)).join(' ')
  return {
    texts: sql`${sql.identifier(`${name}_search`)} t`,
    where,
    onRow: searchFor(others, search ?? []),
  }
}

/** The rows that `q` means, found by the index of letters wherever it is; `searchFor` looks at rows that are at hand. */
export function foundBy(q: string | undefined, source: Searched & { id: PgColumn }): SQL | undefined {
  const apart = apartFor(q, source)
  if (!apart) return searchFor(q, source.search ?? [])
  return and(sql`${source.id} in (select t.id from ${apart.texts} where ${apart.where})`, apart.onRow)
}
