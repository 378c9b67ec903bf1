import type { SqlListen } from './backplane-postgres.ts'
import { type Clock, systemClock } from './clock.ts'
import type { HubLogger } from './types.ts'

/** A session of its own, not one of a pool and not behind a transaction pooler; a connected `pg.Client` fits. */
export interface ListenSession {
  query(sql: string): Promise<unknown>
  on(event: 'notification', fn: (notice: { channel: string }) => void): unknown
  on(event: 'error', fn: (err: Error) => void): unknown
  on(event: 'end', fn: () => void): unknown
  end(): Promise<unknown>
}

export interface PostgresListenerOptions {
  /** Opens a new, connected session. */
  connect(): Promise<ListenSession>
  clock?: Clock
  logger?: HubLogger
}

/** A silent session may be dead; asking it something shows. */
const PING_MS = 15_000
const RETRY_MS = 1_000

/** Listens on one session for all channels, and opens a new session when that one is lost. */
export function createPostgresListener(
  options: PostgresListenerOptions,
): SqlListen & { close(): Promise<void> } {
  const { clock = systemClock, logger } = options
  const channels = new Map<string, Set<() => void>>()
  let session: ListenSession | null = null
  let opening: Promise<void> | null = null
  let stopPinging: (() => void) | null = null
  let stopRetrying: (() => void) | null = null
  let closed = false

  function lost(which: ListenSession, err?: Error): void {
    if (session !== which) return
    session = null
    stopPinging?.()
    // Ending a session that is broken may fail, which changes nothing.
    which.end().catch(() => undefined)
    if (closed) return
    logger?.warn({ err }, 'hub listener lost its session')
    void retry()
  }

  async function retry(): Promise<void> {
    stopRetrying?.()
    if (closed) return
    try {
      await open()
    } catch (err) {
      logger?.warn({ err }, 'hub listener could not open a session')
      stopRetrying = clock.every(RETRY_MS, () => void retry())
    }
  }

  function open(): Promise<void> {
    opening ??= (async () => {
      const fresh = await options.connect()
      fresh.on('error', (err) => lost(fresh, err))
      fresh.on('end', () => lost(fresh))
      fresh.on('notification', ({ channel }) => {
        for (const notice of channels.get(channel) ?? []) notice()
      })
      session = fresh
      try {
        for (const channel of channels.keys()) await fresh.query(`LISTEN ${channel}`)
      } catch (err) {
        session = null
        fresh.end().catch(() => undefined)
        throw err
      }
      stopPinging = clock.every(PING_MS, () => {
        fresh.query('SELECT 1').catch((err: unknown) => lost(fresh, err instanceof Error ? err : undefined))
      })
      // Whatever was said while nobody listened.
      for (const notices of channels.values()) for (const notice of notices) notice()
    })().finally(() => {
      opening = null
    })
    return opening
  }

  return {
    async listen(channel, onNotice) {
      if (!/^[a-z_][a-z0-9_]*$/.test(channel)) throw new Error('A channel has a plain lower-case name.')
      const notices = channels.get(channel) ?? new Set()
      channels.set(channel, notices.add(onNotice))
      if (session && !opening) await session.query(`LISTEN ${channel}`)
      else {
        await open()
        await session?.query(`LISTEN ${channel}`)
      }
      return async () => {
        notices.delete(onNotice)
        if (notices.size > 0) return
        channels.delete(channel)
        await session?.query(`UNLISTEN ${channel}`)
      }
    },

    async close() {
      closed = true
      stopRetrying?.()
      stopPinging?.()
      await opening?.catch(() => undefined)
      const last = session
      session = null
      await last?.end()
    },
  }
}
