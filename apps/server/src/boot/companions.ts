import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { surroundingsOf } from '@weft/contract/core/environment'
import { seedAccounts } from '@weft/practice/seed'
import { hashToken } from '../features/agents/identity.ts'
import type { Deps } from '../kit/deps.ts'
import { folderStore } from '../kit/file-store.ts'
import { newId } from '../kit/id.ts'
import type { Settings } from '../settings.ts'
import { makeGettingStarted } from './getting-started.ts'
import { checkPracticePort } from './start-errors.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const STOP_MS = 8_000
const RESTART_MS = 2_000
const LOOK_MS = 700
const LOG_BYTES = 10 * 1024 * 1024
/** The agent knows fewer levels. */
const AGENT_LOG_LEVEL = {
  fatal: 'error',
  error: 'error',
  warn: 'warn',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
  silent: 'silent',
} as const satisfies Record<Settings['logLevel'], string>

/** Programs that run beside the server and end with it. */
export interface Companions {
  stop(): Promise<void>
}

const PRACTICE = join(ROOT, 'apps/practice/src/main.ts')
const folderOf = ({ dataDir }: Pick<Settings, 'dataDir'>) => join(dataDir, 'companions')

/** Makes sure, before anything is started, that the practice site can listen, unless an earlier server's still does. */
export async function checkCompanions(settings: Settings): Promise<void> {
  if (settings.practicePort === 0 || isOurs(pidIn(join(folderOf(settings), 'practice.pid')), PRACTICE)) return
  await checkPracticePort(settings)
}

/**
 * Starts what comes with a single-machine installation: the practice site and a local agent. The agent joins, and the
 * "Getting started" project is made, as soon as there is an administrator to own them.
 */
export function startCompanions(deps: Deps): Companions {
  const stopping = new AbortController()
  const running: Companion[] = []
  const { settings } = deps
  const siteUrl = `http://${settings.host === '0.0.0.0' ? '127.0.0.1' : settings.host}:${settings.practicePort}`
  if (settings.practicePort > 0)
    running.push(
      new Companion(deps, 'practice', [PRACTICE], {
        WEFT_PRACTICE_PORT: String(settings.practicePort),
        WEFT_HOST: settings.host,
        WEFT_DATA_DIR: settings.dataDir,
      }),
    )

  const begin = async () => {
    const ownerId = await firstAdministrator(deps, stopping.signal)
    if (ownerId === null) return
    if (settings.localAgent) running.push(await localAgent(deps, ownerId))
    const made = await deps.db.execute(sql`select 1 from setting where key = 'gettingStarted'`)
    if (settings.practicePort === 0 || made.rows.length > 0) return
    const clientId = settings.localAgent ? await firstClient(deps, ownerId, stopping.signal) : null
    const files = folderStore(join(settings.dataDir, 'files'))
    await makeGettingStarted(deps, files, { ownerId, siteUrl, accounts: seedAccounts, clientId })
  }
  const begun = begin().catch((error: unknown) => {
    if (!stopping.signal.aborted) deps.log.error({ err: error }, 'the local companions could not be prepared')
  })

  return {
    async stop() {
      stopping.abort()
      await begun
      await Promise.all(running.map((companion) => companion.stop()))
    },
  }
}

/** Waits for the first administrator; null when the server stops before. */
async function firstAdministrator(deps: Deps, stopped: AbortSignal): Promise<string | null> {
  while (!stopped.aborted) {
    const found = await deps.db.execute(sql`
      select u.id from app_user u join user_role ur on ur.user_id = u.id join role r on r.id = ur.role_id
      where r.key = 'administrator' and u.deleted_at is null order by u.created_at limit 1`)
    const row = z.object({ id: z.string() }).safeParse(found.rows[0])
    if (row.success) return row.data.id
    await sleep(LOOK_MS, undefined, { signal: stopped, ref: false }).catch(() => undefined)
  }
  return null
}

/** Waits a while for the local agent's client, which the first campaign is to run on. */
async function firstClient(deps: Deps, ownerId: string, stopped: AbortSignal): Promise<string | null> {
  for (let tries = 0; tries < 30 && !stopped.aborted; tries += 1) {
    const found = await deps.db.execute(sql`
      select id from client where owner_id = ${ownerId} and deleted_at is null order by created_at limit 1`)
    const row = z.object({ id: z.string() }).safeParse(found.rows[0])
    if (row.success) return row.data.id
    await sleep(LOOK_MS, undefined, { signal: stopped, ref: false }).catch(() => undefined)
  }
  return null
}

/** The agent on this machine. At its first start it gets a join code of its own. */
async function localAgent(deps: Deps, ownerId: string): Promise<Companion> {
  const { settings } = deps
  const folder = join(settings.dataDir, 'agent')
  const code = randomBytes(15).toString('base64url')
  if (!existsSync(join(folder, 'identity.json')))
    await deps.db.execute(sql`
      insert into join_code (id, owner_id, code_hash, max_slots, expires_at)
      values (${newId()}, ${ownerId}, ${hashToken(code)}, 64, now() + interval '1 day')`)
  return new Companion(deps, 'agent', [join(ROOT, 'apps/agent/src/main.ts')], {
    WEFT_SERVER: `http://${settings.host === '0.0.0.0' ? '127.0.0.1' : settings.host}:${settings.port}`,
    WEFT_JOIN_CODE: code,
    WEFT_AGENT_DATA_DIR: folder,
    WEFT_SLOTS: String(settings.slots),
    WEFT_AGENT_NAME: 'This machine',
    WEFT_LOG_LEVEL: AGENT_LOG_LEVEL[settings.logLevel],
    // The agent's own settings, for an installation that gives its local agent labels.
    ...(process.env['WEFT_LABELS'] ? { WEFT_LABELS: process.env['WEFT_LABELS'] } : {}),
    ...(settings.browser ? { WEFT_BROWSER: settings.browser } : {}),
  })
}

/**
 * One program beside the server, in a session of its own. It is started again when it ends by itself. When the server is
 * killed it lives on, so that work under way goes on; the next server finds it by its pid file and takes it over.
 */
class Companion {
  readonly #deps: Deps
  readonly #name: string
  readonly #args: string[]
  readonly #env: Record<string, string>
  readonly #folder: string
  #pid: number | null = null
  #stopped = false
  #timer: NodeJS.Timeout | null = null

  constructor(deps: Deps, name: string, args: string[], env: Record<string, string>) {
    this.#deps = deps
    this.#name = name
    this.#args = args
    this.#env = env
    this.#folder = folderOf(deps.settings)
    mkdirSync(this.#folder, { recursive: true })
    this.#adopt()
  }

  get #pidFile(): string {
    return join(this.#folder, `${this.#name}.pid`)
  }

  #adopt(): void {
    const pid = pidIn(this.#pidFile)
    if (!isOurs(pid, this.#args[0] ?? '')) return this.#start()
    this.#pid = pid
    this.#deps.log.info({ companion: this.#name, pid }, 'taking over a companion of an earlier server')
    this.#timer = setInterval(() => {
      if (isOurs(pid, this.#args[0] ?? '')) return
      if (this.#timer) clearInterval(this.#timer)
      this.#pid = null
      if (!this.#stopped) this.#start()
    }, RESTART_MS)
    this.#timer.unref()
  }

  #start(): void {
    const { log } = this.#deps
    const logFile = join(this.#folder, `${this.#name}.log`)
    const tooLarge = existsSync(logFile) && statSync(logFile).size > LOG_BYTES
    const out = openSync(logFile, tooLarge ? 'w' : 'a', 0o600)
    const started = Date.now()
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...this.#args], {
      // They have no use for the server's secrets: its database, its key file, its first administrator's password.
      env: { ...surroundingsOf(process.env), ...this.#env },
      stdio: ['ignore', out, out],
      detached: true,
    })
    closeSync(out)
    this.#pid = child.pid ?? null
    if (child.pid) writeFileSync(this.#pidFile, String(child.pid), { mode: 0o600 })
    child.on('error', (error) => log.error({ err: error, companion: this.#name }, 'a companion cannot start'))
    child.on('close', (code) => {
      this.#pid = null
      if (this.#stopped) return
      log.warn({ companion: this.#name, code, logFile }, 'a companion ended')
      this.#timer = setTimeout(
        () => this.#start(),
        Date.now() - started > 60_000 ? RESTART_MS : RESTART_MS * 3,
      )
      this.#timer.unref()
    })
  }

  /** Asks it to end, and ends it when it does not. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    const pid = this.#pid
    if (pid === null) return
    // The agent takes a first signal as "finish what you have"; a server that stops cannot wait for that.
    signal(pid, this.#name === 'agent' ? 'SIGQUIT' : 'SIGTERM')
    const deadline = Date.now() + STOP_MS
    while (signal(pid, 0) && Date.now() < deadline) await sleep(50)
    signal(pid, 'SIGKILL')
    rmSync(this.#pidFile, { force: true })
  }
}

function pidIn(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

/** Whether a process is there; sends it a signal if so. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    // No such process.
    return false
  }
}

/** Whether this pid is a living process that runs the given script: pids are used again. */
function isOurs(pid: number, script: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1 || !signal(pid, 0)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script)
  } catch {
    // Without /proc nobody can tell, so it is not touched.
    return false
  }
}
