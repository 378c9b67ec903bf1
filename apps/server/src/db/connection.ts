import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Pool, type ClientConfig } from 'pg'
import { prepareOften, StatementNames } from './prepare-often.ts'

/** A place to run queries: the pool, or the transaction of the call under way. */
export type Tx = PgDatabase<NodePgQueryResultHKT>

/** The pool as Drizzle sees it. */
export type Db = Tx

/** How to reach the database. */
export interface DatabaseAddress {
  /** A connection string, or the folder of a unix socket with a database name. */
  url?: string
  socketDir?: string
  port?: number
  database?: string
  user?: string
}

/** What `pg` needs to connect there. Sessions speak UTC and give up a statement that hangs. */
export function clientConfig(address: DatabaseAddress): ClientConfig {
  return {
    ...(address.url === undefined
      ? { host: address.socketDir, port: address.port, database: address.database, user: address.user }
      : { connectionString: address.url }),
    connectionTimeoutMillis: 5_000,
    application_name: 'weft',
    options: '-c timezone=UTC -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000',
  }
}

/** Opens the pool. A connection that breaks while idle is dropped and told to `onBroken`. */
export function openPool(
  address: DatabaseAddress,
  options: { max: number; onBroken: (error: Error) => void },
): { pool: Pool; db: Db } {
  const pool = new Pool({ ...clientConfig(address), max: options.max, idleTimeoutMillis: 30_000 })
  pool.on('error', options.onBroken)
  // One in use that breaks between two statements tells nobody else; its next statement fails and is dealt with there.
  const names = new StatementNames()
  pool.on('connect', (client) => {
    client.on('error', () => {})
    prepareOften(client, names)
  })
  return { pool, db: drizzle(pool) }
}
