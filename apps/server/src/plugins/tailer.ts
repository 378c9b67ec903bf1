import { asc, gt, max } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../db/connection.ts'
import { Again } from '../kit/again.ts'
import type { Notices } from '../kit/deps.ts'
import { event, type EventRow } from '../kit/tables.ts'
import { EVENT_CHANNEL } from './publisher.ts'

const BATCH = 500
/** Looks even without a notice. */
const LOOK_MS = 2_000

/** Reads events as they get their numbers, each once and in order. */
export class Tailer {
  readonly #db: Db
  readonly #onEvents: (rows: readonly EventRow[]) => Promise<void>
  #seen = 0
  readonly #reading: Again
  #looking: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>) | undefined

  constructor(db: Db, log: FastifyBaseLogger, onEvents: (rows: readonly EventRow[]) => Promise<void>) {
    this.#db = db
    this.#onEvents = onEvents
    this.#reading = new Again(
      () => this.#read(),
      (error) => log.warn({ err: error }, 'events could not be read yet'),
    )
  }

  /** The last number that was read. */
  get latest(): number {
    return this.#seen
  }

  /** Begins after what is there already. */
  async start(notices: Notices): Promise<void> {
    const [newest] = await this.#db.select({ seq: max(event.seq) }).from(event)
    this.#seen = newest?.seq ?? 0
    this.#unlisten = await notices.listen(EVENT_CHANNEL, () => this.#reading.soon())
    this.#looking = setInterval(() => this.#reading.soon(), LOOK_MS)
    this.#reading.soon()
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking)
    await this.#unlisten?.()
    await this.#reading.settled()
  }

  async #read(): Promise<void> {
    for (;;) {
      const rows = await this.#db
        .select()
        .from(event)
        .where(gt(event.seq, this.#seen))
        .orderBy(asc(event.seq))
        .limit(BATCH)
      const last = rows.at(-1)
      if (!last) return
      this.#seen = last.seq
      await this.#onEvents(rows)
    }
  }
}
