import { setTimeout as delay } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server'
import type { Deps } from '../../../kit/deps.ts'

const WANTED = 'weft_upload_wanted'
const WAIT_MS = 30_000
const AGAIN_MS = 100

interface Connection {
  client: PoolClient
  end: (error?: Error) => void
}

/**
 * One request at a time writes an upload, in whichever server process it arrives: by advisory locks of the database, all
 * held by one connection of this process for as long as there are any. Whoever wants one asks the holder to let go.
 */
export class UploadLocker implements Locker {
  readonly #deps: Pick<Deps, 'pool' | 'notices'>
  readonly #held = new Map<string, RequestRelease>()
  #connection: Promise<Connection> | undefined
  #listening: Promise<unknown> | undefined

  constructor(deps: Pick<Deps, 'pool' | 'notices'>) {
    this.#deps = deps
  }

  newLock(id: string): Lock {
    return {
      lock: (signal, requestRelease) => this.#lock(id, signal, requestRelease),
      unlock: () => this.#unlock(id),
    }
  }

  async #lock(id: string, signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
    this.#listening ??= this.#deps.notices
      .listen(WANTED, (wanted) => {
        if (wanted !== undefined) void this.#held.get(wanted)?.()
      })
      .catch((error: unknown) => {
        this.#listening = undefined
        throw error
      })
    await this.#listening
    for (const until = performance.now() + WAIT_MS; performance.now() < until && !signal.aborted;) {
      const before = this.#held.get(id)
      if (before) await before()
      else if (await this.#take(id, requestRelease)) return
      await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined)
    }
    throw ERRORS.ERR_LOCK_TIMEOUT
  }

  /** Takes a lock that nobody of this process holds; where another one does, asks that for it. */
  async #take(id: string, requestRelease: RequestRelease): Promise<boolean> {
    this.#held.set(id, requestRelease)
    try {
      this.#connection ??= this.#connect()
      const { client } = await this.#connection
      const { rows } = await client.query<{ mine: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine',
        [`upload ${id}`],
      )
      if (rows[0]?.mine === true) return true
      await client.query('select pg_notify($1, $2)', [WANTED, id])
    } catch (error) {
      this.#letGo(id)
      throw error
    }
    this.#letGo(id)
    return false
  }

  async #unlock(id: string): Promise<void> {
    try {
      const connection = await this.#connection
      await connection?.client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`upload ${id}`])
    } catch {
      // A connection that broke holds nothing any more.
    }
    this.#letGo(id)
  }

  #letGo(id: string): void {
    this.#held.delete(id)
    if (this.#held.size > 0) return
    const connection = this.#connection
    this.#connection = undefined
    void connection?.then(({ end }) => end()).catch(() => undefined)
  }

  async #connect(): Promise<Connection> {
    const client = await this.#deps.pool.connect()
    const end = (error?: Error) => {
      client.off('error', lost)
      client.release(error)
    }
    const lost = (error: Error) => {
      this.#connection = undefined
      end(error)
      // Others may take them now, so whoever writes is to stop.
      for (const requestRelease of this.#held.values()) void requestRelease()
    }
    client.on('error', lost)
    return { client, end }
  }
}
