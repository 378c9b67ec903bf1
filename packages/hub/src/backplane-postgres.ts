import { asBackplaneMessage, type Backplane, type BackplaneMessage } from './backplane.ts'
import { type Clock, systemClock } from './clock.ts'
import type { HubLogger } from './types.ts'

/** Runs one statement; a pool of `pg` fits. */
export interface SqlQuery {
  query(sql: string, params: unknown[]): Promise<{ rows: unknown[] }>
}

/** Hears notices. `onNotice` is also to be called after every new session, for notices may have been missed. */
export interface SqlListen {
  listen(channel: string, onNotice: () => void): Promise<() => Promise<void>>
}

export interface PostgresBackplaneOptions {
  sql: SqlQuery
  listener: SqlListen
  /** A table of its own for each hub; it is the channel's name too. */
  table?: string
  clock?: Clock
  logger?: HubLogger
}

/** How long an id that was skipped may still turn up: its transaction was slower than a later one's. */
const LATE_MS = 5_000
/** Reads even without a notice, should the listening session have died unnoticed. */
const CATCH_UP_MS = 5_000
const CLEAN_MS = 30_000
const MAX_GAPS = 1_000
const MAX_BATCH = 500

function tableName(table: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(table))
    throw new Error('A backplane table has a plain lower-case name.')
  return table
}

/** The table's DDL, for the application's migrations. */
export function backplaneDdl(table = 'hub_message'): string {
  const name = tableName(table)
  return `CREATE TABLE IF NOT EXISTS ${name} (
  id bigserial PRIMARY KEY,
  target text NOT NULL,
  record text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS ${name}_at_idx ON ${name} (at);`
}

interface Outgoing {
  message: BackplaneMessage
  resolve: () => void
  reject: (err: unknown) => void
}

/**
 * A backplane over a table and NOTIFY. Messages are rows, a notice only says that there are new ones, so their size
 * does not matter and a node reads what it missed while its session was away. One statement is under way at a time and
 * takes all that waits, so a publisher's order holds. Rows live for a minute.
 */
export function createPostgresBackplane(options: PostgresBackplaneOptions): Backplane {
  const { sql, listener, clock = systemClock, logger } = options
  const table = tableName(options.table ?? 'hub_message')
  const insert = `WITH input AS (SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given(target, record, place)),
    stored AS (INSERT INTO ${table} (target, record) SELECT target, record FROM input ORDER BY place RETURNING id)
    SELECT pg_notify('${table}', max(id)::text) FROM stored`
  const reader = createReader(sql, table, clock)
  const outgoing: Outgoing[] = []
  let inserting = false
  let deliver: (message: BackplaneMessage) => void = () => undefined
  let reading = false
  let again = false
  let stopped = false
  const undo: (() => void | Promise<void>)[] = []

  async function flush(): Promise<void> {
    if (inserting) return
    inserting = true
    for (let batch = outgoing.splice(0, MAX_BATCH); batch.length > 0; batch = outgoing.splice(0, MAX_BATCH)) {
      try {
        await sql.query(insert, rowsOf(batch))
        for (const { resolve } of batch) resolve()
      } catch (err) {
        for (const { reject } of batch) reject(err)
      }
    }
    inserting = false
  }

  async function read(): Promise<void> {
    // Notices that come while reading are answered by one more read.
    again = true
    if (reading || stopped) return
    reading = true
    try {
      do {
        again = false
        for (const message of await reader.read()) if (!stopped) deliver(message)
      } while (again)
    } catch (err) {
      // The next notice or the next look tries again from the same place.
      logger?.warn({ err }, 'hub backplane could not read')
    } finally {
      reading = false
    }
  }

  async function clean(): Promise<void> {
    try {
      await sql.query(`DELETE FROM ${table} WHERE at < now() - interval '60 seconds'`, [])
    } catch (err) {
      logger?.warn({ err }, 'hub backplane could not clean up')
    }
  }

  return {
    async start(onMessage) {
      deliver = onMessage
      // Listen first: what comes between the two is then read by its notice.
      undo.push(await listener.listen(table, () => void read()))
      await reader.start()
      undo.push(clock.every(CATCH_UP_MS, () => void read()))
      undo.push(clock.every(CLEAN_MS, () => void clean()))
      await read()
    },

    publish(message) {
      return new Promise((resolve, reject) => {
        outgoing.push({ message, resolve, reject })
        // What is published in one turn shares a statement.
        queueMicrotask(() => void flush())
      })
    },

    async stop() {
      stopped = true
      for (const step of undo) await step()
    },
  }
}

function rowsOf(batch: Outgoing[]): [string[], string[]] {
  const heads: string[] = []
  const records: string[] = []
  for (const { message } of batch) {
    const { record, ...head } = message.kind === 'record' ? message : { ...message, record: '' }
    heads.push(JSON.stringify(head))
    records.push(record)
  }
  return [heads, records]
}

/** Reads new rows, each once. Ids may become visible out of order, so skipped ones are looked for a while longer. */
function createReader(sql: SqlQuery, table: string, clock: Clock) {
  const gaps = new Map<number, number>()
  let last: number | null = null

  function skip(from: number, upTo: number): void {
    const now = clock.now()
    for (let id = Math.max(from, upTo - MAX_GAPS); id < upTo; id += 1) gaps.set(id, now)
  }

  function forgetOldGaps(): void {
    const now = clock.now()
    for (const [id, since] of gaps) if (gaps.size > MAX_GAPS || now - since > LATE_MS) gaps.delete(id)
  }

  return {
    /** What was there before is not for us. */
    async start(): Promise<void> {
      const { rows } = await sql.query(
        `SELECT coalesce(max(id), 0) AS id, '' AS target, '' AS record FROM ${table}`,
        [],
      )
      last = rows.map(asRow).at(0)?.id ?? 0
    },

    async read(): Promise<BackplaneMessage[]> {
      if (last === null) return []
      const { rows } = await sql.query(
        `SELECT id, target, record FROM ${table} WHERE id > $1 OR id = ANY($2::bigint[]) ORDER BY id`,
        [last, [...gaps.keys()]],
      )
      const messages: BackplaneMessage[] = []
      for (const row of rows.map(asRow)) {
        if (row.id > last) {
          skip(last + 1, row.id)
          last = row.id
        } else if (!gaps.delete(row.id)) continue
        const message = asBackplaneMessage(parseHead(row))
        if (message) messages.push(message)
      }
      forgetOldGaps()
      return messages
    },
  }
}

interface Row {
  id: number
  target: string
  record: string
}

function asRow(row: unknown): Row {
  if (typeof row === 'object' && row !== null && 'id' in row && 'target' in row && 'record' in row) {
    // A bigint arrives as text from most drivers.
    const id = Number(row.id)
    if (Number.isSafeInteger(id) && typeof row.target === 'string' && typeof row.record === 'string')
      return { id, target: row.target, record: row.record }
  }
  throw new Error('A row of the backplane has an unexpected shape.')
}

function parseHead({ target, record }: Row): unknown {
  try {
    const head: unknown = JSON.parse(target)
    return typeof head === 'object' && head !== null ? { ...head, record } : null
  } catch {
    return null
  }
}
