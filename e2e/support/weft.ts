import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { accounts } from '@weft/contract/accounts/api'
import { campaigns } from '@weft/contract/campaigns/api'
import { clients } from '@weft/contract/clients/api'
import { clientOf, type Transport } from '@weft/contract/core/client'
import { devices } from '@weft/contract/devices/api'
import { phones } from '@weft/contract/phones/api'
import { profiles } from '@weft/contract/profiles/api'
import { proxies } from '@weft/contract/proxies/api'
import { runs } from '@weft/contract/runs/api'
import { system } from '@weft/contract/system/api'
import { users } from '@weft/contract/users/api'
import { videos } from '@weft/contract/videos/api'
import { workflows } from '@weft/contract/workflows/api'
import { freePort } from '../../apps/server/src/testing/free-port.ts'

const ROOT = join(import.meta.dirname, '../..')

const SET_UP_LINK = /https?:\/\/\S+\/auth\/set-up\?token=\S+/

/** The administrator that every end-to-end test makes. */
export const ADMIN = { username: 'admin', password: 'a-long-enough-password', displayName: 'Ada Admin' }

/** A whole installation in a folder of its own: the real programs as `npm start` runs them. */
export class Weft {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'weft-e2e-'))
  readonly port: number
  readonly practicePort: number
  output = ''
  #server: ChildProcess | null = null
  readonly #env: Record<string, string>

  private constructor(port: number, practicePort: number, env: Record<string, string>) {
    this.port = port
    this.practicePort = practicePort
    this.#env = env
  }

  /** Makes an installation and starts it. */
  static async start(env: Record<string, string> = {}): Promise<Weft> {
    const weft = new Weft(await freePort(), await freePort(), env)
    await weft.startServer()
    // The link comes on its own after the server is ready.
    await until('the set-up link', () => Promise.resolve(SET_UP_LINK.test(weft.output)))
    return weft
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get practiceUrl(): string {
    return `http://127.0.0.1:${this.practicePort}`
  }

  get serverPid(): number {
    return this.#server?.pid ?? 0
  }

  /** Starts the server and waits until it is ready; gives the milliseconds that took. */
  async startServer(): Promise<number> {
    const started = performance.now()
    const child = spawn(process.execPath, [join(ROOT, 'apps/server/src/main.ts')], {
      cwd: ROOT,
      env: {
        ...process.env,
        WEFT_DATA_DIR: this.dataDir,
        WEFT_PORT: String(this.port),
        WEFT_PRACTICE_PORT: String(this.practicePort),
        WEFT_LOG_LEVEL: 'warn',
        ...this.#env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#server = child
    const note = (chunk: Buffer) => (this.output += chunk.toString('utf8'))
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the server ended:\n${this.output}`)
      const ready = await fetch(`${this.url}/health/ready`).catch(() => null)
      if (ready?.ok) return performance.now() - started
      if (performance.now() - started > 120_000) throw new Error(`the server is not ready:\n${this.output}`)
      await sleep(50)
    }
  }

  /** The one-time link that the first start prints. */
  get setUpLink(): string {
    const link = SET_UP_LINK.exec(this.output)?.[0]
    if (!link) throw new Error(`no set-up link in:\n${this.output}`)
    return link
  }

  /** Makes the administrator by the link's call and gives a typed client signed in as them. */
  async setUp() {
    const token = new URL(this.setUpLink).searchParams.get('token') ?? ''
    await clientOf({ baseUrl: this.url }, access).setUp({ token, ...ADMIN })
    return this.signIn()
  }

  /** A typed client signed in as the administrator; signs in again whenever its token ends. */
  async signIn() {
    let bearer = ''
    const renew = async () => {
      const signedIn = await clientOf({ baseUrl: this.url }, access).login({
        username: ADMIN.username,
        password: ADMIN.password,
      })
      bearer = wholeSignIn(signedIn).token
    }
    await renew()
    const transport: Transport = {
      baseUrl: this.url,
      headers: () => ({ authorization: `Bearer ${bearer}` }),
      onError: async (error) => {
        if (error.httpStatus !== 401) return 'throw'
        await renew()
        return 'retry'
      },
    }
    return {
      transport,
      accounts: clientOf(transport, accounts),
      campaigns: clientOf(transport, campaigns),
      clients: clientOf(transport, clients),
      devices: clientOf(transport, devices),
      phones: clientOf(transport, phones),
      profiles: clientOf(transport, profiles),
      proxies: clientOf(transport, proxies),
      runs: clientOf(transport, runs),
      system: clientOf(transport, system),
      users: clientOf(transport, users),
      videos: clientOf(transport, videos),
      workflows: clientOf(transport, workflows),
    }
  }

  /** Ends the server as a power cut would. */
  async killServer(): Promise<void> {
    await kill(this.#server)
  }

  /** Ends the local agent as a power cut would. */
  killAgent(): void {
    const file = join(this.dataDir, 'companions', 'agent.pid')
    if (existsSync(file)) killPid(Number(readFileSync(file, 'utf8')))
  }

  /** Ends Postgres, all of it, as a power cut would. */
  killPostgres(): void {
    const file = join(this.dataDir, 'postgres', 'postmaster.pid')
    if (existsSync(file)) killPid(Number(readFileSync(file, 'utf8').split('\n')[0]))
  }

  /** Stops everything in good order and clears the folder. */
  async stop(): Promise<void> {
    const child = this.#server
    if (child && child.exitCode === null && child.signalCode === null) {
      const closed = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGTERM')
      await Promise.race([closed, sleep(15_000)])
      await kill(child)
    }
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function kill(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await closed
}

function killPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in this moment.
  }
}

/** Waits until `look` gives something, asking a few times a second. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  let last: unknown
  while (Date.now() < deadline) {
    try {
      const found = await look()
      if (found) return found
    } catch (error) {
      last = error
    }
    await sleep(150)
  }
  throw new Error(
    `waited ${timeoutMs} ms in vain: ${what}${last instanceof Error ? ` (${last.message})` : ''}`,
  )
}
