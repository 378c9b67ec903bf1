import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { StartError } from '../../settings.ts'
import { clientConfig, type DatabaseAddress } from '../connection.ts'
import type { Cluster } from './cluster.ts'
import { addressOf, isAlive, stopProcess, type Postmaster } from './postmaster.ts'

/** The name of the product's database. */
export const DATABASE = 'weft'
const WATCH_MS = 100
const LONGEST_WAIT_MS = 15_000
const OWNER_LOCK = 7_263_000

interface Log {
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/**
 * Keeps our Postgres running for as long as this server does: starts or adopts it, starts it again when it dies, stops
 * it at the end. One server at a time: a second one on the same folder is refused.
 */
export class Supervisor {
  readonly #cluster: Cluster
  readonly #log: Log
  #postmaster: Postmaster
  #owner: Client
  #stopping = false
  #watching: Promise<void>

  private constructor(cluster: Cluster, log: Log, postmaster: Postmaster, owner: Client) {
    this.#cluster = cluster
    this.#log = log
    this.#postmaster = postmaster
    this.#owner = owner
    this.#watching = this.#watch()
  }

  /** Brings the cluster up and makes the database when missing. */
  static async start(cluster: Cluster, log: Log): Promise<Supervisor> {
    const postmaster = await cluster.run()
    const owner = await own(postmaster)
    if (!owner) throw new StartError(`Another server is running on ${cluster.folder}.`)
    const { rowCount } = await owner.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await owner.query(`create database ${DATABASE}`)
    return new Supervisor(cluster, log, postmaster, owner)
  }

  /** Where the product's database is. It stays the same when Postgres is started again. */
  get address(): DatabaseAddress {
    return addressOf(this.#postmaster, DATABASE)
  }

  /** Process id of Postgres, for tests and for the log. */
  get pid(): number {
    return this.#postmaster.pid
  }

  /** Stops watching, then Postgres. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#watching
    await this.#owner.end().catch(() => {})
    await stopProcess(this.#postmaster.pid)
    await this.#cluster.tidy()
  }

  async #watch(): Promise<void> {
    while (!this.#stopping) {
      await delay(WATCH_MS)
      if (this.#stopping || isAlive(this.#postmaster.pid)) continue
      this.#log.error({ pid: this.#postmaster.pid }, 'Postgres ended; starting it again')
      await this.#restart()
    }
  }

  async #restart(): Promise<void> {
    await this.#owner.end().catch(() => {})
    for (let waitMs = 500; !this.#stopping; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        this.#postmaster = await this.#cluster.run()
        this.#owner = (await own(this.#postmaster)) ?? this.#owner
        this.#log.warn({ pid: this.#postmaster.pid }, 'Postgres runs again')
        return
      } catch (error) {
        this.#log.error({ err: error }, 'Postgres could not be started again')
        await delay(waitMs)
      }
    }
  }
}

/** Takes the lock that says whose Postgres this is; it goes with the connection. Undefined when another has it. */
async function own(at: Postmaster): Promise<Client | undefined> {
  const client = new Client({ ...clientConfig(addressOf(at, 'postgres')), application_name: 'weft owner' })
  client.on('error', () => {})
  await client.connect()
  // A server that was killed a moment ago may still be let go of.
  for (let tries = 0; tries < 20; tries++) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      OWNER_LOCK,
    ])
    if (rows[0]?.mine) return client
    await delay(50)
  }
  await client.end()
  return undefined
}
