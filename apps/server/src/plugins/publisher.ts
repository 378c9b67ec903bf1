import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/connection.ts'
import { Again } from '../kit/again.ts'
import type { EventEntry } from '../kit/context.ts'
import { recordset } from '../kit/recordset.ts'

/** The channel on which every hub hears that there are new events. */
export const EVENT_CHANNEL = 'weft_event'
const LOCK = 7_263_003
const BATCH = 2_000
/** Changes that come within this time are told together. */
const GATHER_MS = 20
/** Progress of one record is told this often at most. */
const PROGRESS_MS = 250
/** Looks even when nobody called: a process may have died between its commit and its call. */
const LOOK_MS = 1_000

/**
 * Gives committed changes their numbers. Transactions leave their events in an outbox, in no order that a reader could
 * rely on; the publisher moves them under a lock, so a number is never seen before a lower one. Any process may do it.
 * Only this short transaction takes the lock and sends the notice; the transactions that make the changes never wait.
 */
export class Publisher {
  readonly #db: Db
  readonly #log: FastifyBaseLogger
  readonly #progress = new Map<string, EventEntry>()
  #due: EventEntry[] = []
  #gathering: NodeJS.Timeout | undefined
  #progressing: NodeJS.Timeout | undefined
  #looking: NodeJS.Timeout | undefined
  readonly #publishing: Again

  constructor(db: Db, log: FastifyBaseLogger) {
    this.#db = db
    this.#log = log
    this.#publishing = new Again(
      () => this.#publish(),
      (error) => log.warn({ err: error }, 'events could not be published yet'),
    )
  }

  start(): void {
    this.#looking = setInterval(() => this.#publishing.soon(), LOOK_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking)
    clearTimeout(this.#gathering)
    this.#takeProgress()
    await this.#publishing.settled()
    await this.#publish().catch((error: unknown) =>
      this.#log.debug({ err: error }, 'the last events stay behind'),
    )
  }

  /** There are new rows in the outbox. */
  wake(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.#publishing.soon()
    }, GATHER_MS)
  }

  /** Something moved on; only its last word within the interval is told. */
  progress(entry: EventEntry): void {
    this.#progress.set(`${entry.feature} ${entry.id} ${entry.kind}`, entry)
    this.#progressing ??= setTimeout(() => {
      this.#takeProgress()
      this.#publishing.soon()
    }, PROGRESS_MS)
  }

  #takeProgress(): void {
    clearTimeout(this.#progressing)
    this.#progressing = undefined
    this.#due.push(...this.#progress.values())
    this.#progress.clear()
  }

  async #publish(): Promise<void> {
    const progress = this.#due
    this.#due = []
    if (progress.length === 0 && !(await this.#hasWaiting())) return
    const moved = await this.#db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
      // A record that changed many times within the batch is told once: by its last change of each kind.
      const { rowCount } = await tx.execute(sql`
        with taken as (
          delete from event_outbox
          where id in (select id from event_outbox order by id limit ${BATCH})
          returning *
        ), told as (
          insert into event (feature, record_id, kind, parent_id, owner_id, at)
          select feature, record_id, kind, parent_id, owner_id, at from (
            select distinct on (feature, record_id, kind) * from taken
            order by feature, record_id, kind, id desc
          ) as last order by id
          returning 1
        )
        select 1 from taken limit ${BATCH}`)
      if (progress.length > 0)
        await tx.execute(sql`
          insert into event (feature, record_id, kind, parent_id, owner_id, at)
          select v.feature, v.record, v.kind, v.parent, v.owner, now() from ${recordset(
            { feature: 'text', record: 'text', kind: 'text', parent: 'text', owner: 'uuid' },
            progress.map(({ feature, id, kind, parentId, ownerId }) => ({
              feature,
              record: id,
              kind,
              parent: parentId ?? null,
              owner: ownerId ?? null,
            })),
          )}`)
      await tx.execute(sql`select pg_notify(${EVENT_CHANNEL}, '')`)
      return rowCount ?? 0
    })
    if (moved >= BATCH) this.#publishing.soon()
  }

  async #hasWaiting(): Promise<boolean> {
    const { rows } = await this.#db.execute(sql`select 1 from event_outbox limit 1`)
    return rows.length > 0
  }
}
