import { once } from 'node:events'
import { chown, mkdir, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { oneLine, StartError } from '../../settings.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import {
  DATABASE_USER,
  isAlive,
  isPostgresOn,
  PORT,
  readLock,
  removeLock,
  stopProcess,
  waitUntilReady,
  type Postmaster,
} from './postmaster.ts'
import { chooseUser, spawnAs, type RunAs } from './run-as.ts'

/** A unix socket's whole path may be this long. */
const SOCKET_PATH_MAX = 107
const START_MS = 20_000
const LOG_BYTES = 4 * 1024 * 1024

/** A Postgres of our own in a folder: made when missing, started, adopted or stopped. */
export class Cluster {
  readonly folder: string
  readonly #logFile: string
  readonly #home: string
  readonly #flags: readonly string[]
  readonly #binaries: Binaries
  readonly #user: RunAs | undefined
  /** Stays the same from one start of Postgres to the next, for the connections that come back. */
  #socketDir: string | undefined

  private constructor(home: string, flags: readonly string[], binaries: Binaries, user: RunAs | undefined) {
    this.#home = home
    this.folder = join(home, 'postgres')
    this.#logFile = join(home, 'postgres.log')
    this.#flags = flags
    this.#binaries = binaries
    this.#user = user
  }

  /** Prepares the cluster under `home`; its files are made on the first use. */
  static async at(
    home: string,
    options: { flags?: readonly string[]; sync?: boolean } = {},
  ): Promise<Cluster> {
    await mkdir(home, { recursive: true, mode: 0o711 })
    const binaries = await findBinaries()
    const user = await chooseUser([join(home, 'postgres'), binaries.postgres])
    const cluster = new Cluster(home, options.flags ?? [], binaries, user)
    await cluster.#initialise(options.sync ?? true)
    return cluster
  }

  /**
   * Makes sure that it runs: one left by a server that was killed is adopted, one that hangs is stopped, a stale lock
   * is removed.
   */
  async run(): Promise<Postmaster> {
    const lock = await readLock(this.folder)
    if (lock && (await isPostgresOn(lock.pid, this.folder))) {
      if (await waitUntilReady(lock, 5_000, () => !isAlive(lock.pid))) {
        this.#socketDir = lock.socketDir
        return lock
      }
      await stopProcess(lock.pid)
    }
    await removeLock(this.folder, lock)
    return this.#start()
  }

  /** Clears away the socket's folder where it had to be elsewhere. Nothing may run any more. */
  async tidy(): Promise<void> {
    if (this.#socketDir !== undefined && !this.#socketDir.startsWith(this.#home))
      await rm(this.#socketDir, { recursive: true, force: true })
  }

  async #initialise(sync: boolean): Promise<void> {
    if (await exists(join(this.folder, 'PG_VERSION'))) return
    // Made aside and renamed when whole, so that a kill in between leaves nothing half made.
    const making = `${this.folder}.new`
    await rm(making, { recursive: true, force: true })
    await this.#folderFor(making)
    const args = [
      '-D',
      making,
      `--username=${DATABASE_USER}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--data-checksums',
    ]
    const collation = ['--locale=C', '--locale-provider=icu', '--icu-locale=und']
    const child = spawnAs(
      this.#user,
      this.#binaries.initdb,
      [...args, ...collation, ...(sync ? [] : ['--no-sync'])],
      ['ignore', 'ignore', 'pipe'],
    )
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new StartError(`Postgres could not be set up: ${oneLine(said)}`)
    await rename(making, this.folder)
  }

  async #start(): Promise<Postmaster> {
    const socketDir = await this.#socketFolder()
    await this.#turnLog()
    const deadline = performance.now() + START_MS
    for (;;) {
      const logFrom = await size(this.#logFile)
      const log = await open(this.#logFile, 'a', 0o600)
      const child = spawnAs(
        this.#user,
        this.#binaries.postgres,
        ['-D', this.folder, '-p', String(PORT), ...settings(socketDir), ...this.#flags],
        ['ignore', log.fd, log.fd],
      )
      await log.close()
      child.unref()
      const pid = child.pid
      if (pid === undefined) throw new StartError(`Postgres could not be started: ${this.#binaries.postgres}`)
      const gone = () => child.exitCode !== null || child.signalCode !== null
      if (await waitUntilReady({ socketDir, port: PORT }, deadline - performance.now(), gone))
        return { pid, port: PORT, socketDir }
      const said = (await readFile(this.#logFile, 'utf8')).slice(logFrom)
      // Processes of one that was killed end within moments; until then they hold its memory.
      const stillThere = /still in use|already exists/.test(said)
      if (!stillThere || performance.now() > deadline)
        throw new StartError(`Postgres did not start: ${lastLine(said)} (see ${this.#logFile})`)
      await delay(100)
    }
  }

  /** Keeps the log of the time before, and no more. */
  async #turnLog(): Promise<void> {
    if ((await size(this.#logFile)) > LOG_BYTES) await rename(this.#logFile, `${this.#logFile}.old`)
  }

  async #socketFolder(): Promise<string> {
    const near = join(this.#home, 'run')
    const fits = Buffer.byteLength(join(near, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX
    this.#socketDir ??= fits ? near : await mkdtemp(join(tmpdir(), 'weft-'))
    await this.#folderFor(this.#socketDir)
    return this.#socketDir
  }

  /** A folder that only Postgres' user, and root, may enter: whoever gets to the socket gets in. */
  async #folderFor(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o700 })
    if (this.#user) await chown(path, this.#user.uid, this.#user.gid)
  }
}

function settings(socketDir: string): string[] {
  const values = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: `${sharedMegabytes()}MB`,
    max_wal_size: '2GB',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    logging_collector: 'off',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** An eighth of the machine's memory, within bounds: the indexes of a million records stay in it. Untouched pages cost nothing. */
function sharedMegabytes(): number {
  return Math.min(1024, Math.max(128, Math.floor(totalmem() / 8 / 1024 ** 2)))
}

async function exists(path: string): Promise<boolean> {
  return (await size(path)) > 0
}

async function size(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  )
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? 'it said nothing'
}
