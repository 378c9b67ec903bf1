import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/connection.ts'

interface Turns {
  /** What is being read now, by what is asked. */
  readonly running: Map<string, Promise<unknown>>
  /** What is read next, for those that came meanwhile. */
  readonly next: Map<string, Promise<unknown>>
}

const dialect = new PgDialect()
const turns = new WeakMap<Tx, Turns>()

/**
 * Reads once for all who ask the very same at the same time, as everybody does who looks at a list that has just changed. Whoever
 * comes while it is being read waits for the next time: nobody is told less than what was there when they asked. The answer is
 * shared, so it must be left as it is.
 */
export function sharedRead<T>(tx: Tx, query: SQL, read: () => PromiseLike<T>): Promise<T> {
  const { sql: text, params } = dialect.sqlToQuery(query)
  const { running, next } = turnsOf(tx)
  const key = `${text}\n${JSON.stringify(params)}`
  const begin = (): Promise<T> => {
    const reading = Promise.resolve(read()).finally(() => running.delete(key))
    running.set(key, reading)
    return reading
  }
  const waiting = next.get(key)
  // The key holds the whole statement: what is read for it is of the same kind.
  if (waiting) return waiting as Promise<T>
  const current = running.get(key)
  if (!current) return begin()
  const following = current
    .catch(() => undefined)
    .then(() => {
      next.delete(key)
      return begin()
    })
  next.set(key, following)
  return following
}

function turnsOf(tx: Tx): Turns {
  const found = turns.get(tx) ?? { running: new Map(), next: new Map() }
  turns.set(tx, found)
  return found
}
