import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { clientConfig, type DatabaseAddress } from '../connection.ts'

/** What a running Postgres says of itself in its lock file. */
export interface Postmaster {
  pid: number
  port: number
  socketDir: string
}

export const DATABASE_USER = 'weft'
export const PORT = 5432

/** Reads the lock file of a data folder; undefined when there is none, or none that can be read. */
export async function readLock(folder: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketDir] = text.split('\n')
  if (!pid || !Number.isInteger(Number(pid))) return undefined
  return { pid: Number(pid), port: Number(port ?? PORT), socketDir: socketDir ?? '' }
}

/** Removes the lock files of a Postgres that is gone. */
export async function removeLock(folder: string, lock: Postmaster | undefined): Promise<void> {
  await rm(join(folder, 'postmaster.pid'), { force: true })
  if (lock?.socketDir) await rm(join(lock.socketDir, `.s.PGSQL.${lock.port}.lock`), { force: true })
}

/** Whether a process lives; one that ended and was not yet cleared away does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** Whether the process is a Postgres on this folder, and not another that got the number of a dead one. */
export async function isPostgresOn(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  // Where there is no /proc, a living process is taken for what the lock file says.
  return command === undefined || (command.includes('postgres') && command.includes(folder))
}

/** The address of a database on it. */
export function addressOf(
  { socketDir, port }: Pick<Postmaster, 'socketDir' | 'port'>,
  database: string,
): DatabaseAddress {
  return { socketDir, port, database, user: DATABASE_USER }
}

/** Waits until it takes connections; false when it does not within `waitMs`, or `givenUp` says so before. */
export async function waitUntilReady(
  at: Pick<Postmaster, 'socketDir' | 'port'>,
  waitMs: number,
  givenUp: () => boolean,
): Promise<boolean> {
  const deadline = performance.now() + waitMs
  // Each try costs it a process; while it recovers it has better things to do.
  for (let pauseMs = 10; performance.now() < deadline && !givenUp(); pauseMs = Math.min(pauseMs * 1.5, 100)) {
    const client = new Client(clientConfig(addressOf(at, 'postgres')))
    // An error after the query says no more than the query did.
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      await delay(pauseMs)
    } finally {
      await client.end().catch(() => {})
    }
  }
  return false
}

/** Stops it: politely, then firmly. Postgres recovers from either without loss. */
export async function stopProcess(pid: number, graceMs = 6_000): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', graceMs],
    ['SIGQUIT', 2_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (!isAlive(pid)) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    const deadline = performance.now() + waitMs
    while (isAlive(pid) && performance.now() < deadline) await delay(10)
  }
}
