import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { access } from '@weft/contract/access/api'
import { wholeSignIn } from '@weft/contract/access/schema'
import { campaigns } from '@weft/contract/campaigns/api'
import { clients } from '@weft/contract/clients/api'
import { clientOf, type Transport } from '@weft/contract/core/client'
import { workflows } from '@weft/contract/workflows/api'
import { freePort } from '../../apps/server/src/testing/free-port.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The administrator of every server that is measured. */
export const ADMIN = { username: 'bench', password: 'bench-password-1' }

/** One figure beside its bar. */
export interface BenchRow {
  name: string
  value: number
  unit: string
  bar: string
  ok: boolean
}

/** A server process of its own with a fresh database, and a way into both. */
export class BenchServer {
  readonly dataDir: string
  readonly port: number
  readonly #kept: boolean
  #child: ChildProcess | null = null

  private constructor(port: number, kept: string | undefined) {
    this.port = port
    this.#kept = kept !== undefined
    this.dataDir = kept ?? mkdtempSync(join(tmpdir(), 'weft-bench-'))
  }

  /** With a folder, it is taken as it is, or made, and stays. */
  static async start(kept?: string): Promise<BenchServer> {
    const server = new BenchServer(await freePort(), kept)
    await server.launch()
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Starts the process; gives the milliseconds until it was ready. */
  async launch(): Promise<number> {
    const started = performance.now()
    const child = spawn(process.execPath, [join(ROOT, 'apps/server/src/main.ts')], {
      env: {
        ...process.env,
        WEFT_DATA_DIR: this.dataDir,
        WEFT_PORT: String(this.port),
        WEFT_PRACTICE_PORT: '0',
        WEFT_LOCAL_AGENT: '0',
        WEFT_LOG_LEVEL: 'error',
        WEFT_ADMIN_USERNAME: ADMIN.username,
        WEFT_ADMIN_PASSWORD: ADMIN.password,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.#child = child
    for (;;) {
      const ready = await fetch(`${this.url}/health/ready`).catch(() => null)
      if (ready?.ok) return performance.now() - started
      if (child.exitCode !== null || performance.now() - started > 60_000)
        throw new Error('the server did not start')
      await sleep(20)
    }
  }

  /** Resident memory of the server process. */
  rssMb(): number {
    const status = readFileSync(`/proc/${this.#child?.pid ?? 0}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  }

  /** Processor time of the server process so far, in milliseconds. */
  cpuMs(): number {
    const fields =
      readFileSync(`/proc/${this.#child?.pid ?? 0}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ') ?? []
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
  }

  /** Connections to its database, past the server. */
  pool(max: number): Pool {
    return new Pool({ host: join(this.dataDir, 'run'), port: 5432, database: 'weft', user: 'weft', max })
  }

  /** A typed client signed in as the administrator. */
  async signIn() {
    const { token, user } = wholeSignIn(await clientOf({ baseUrl: this.url }, access).login(ADMIN))
    const transport: Transport = {
      baseUrl: this.url,
      headers: () => ({ authorization: `Bearer ${token}` }),
    }
    return {
      userId: user.id,
      token,
      transport,
      campaigns: clientOf(transport, campaigns),
      clients: clientOf(transport, clients),
      workflows: clientOf(transport, workflows),
    }
  }

  /** Ends the process in good order and starts it again; gives the milliseconds until it was ready. */
  async restart(): Promise<number> {
    await this.#end()
    return this.launch()
  }

  /** Ends everything and clears the folder, unless it was given. */
  async stop(): Promise<void> {
    await this.#end()
    if (!this.#kept) rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null) return
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await closed
  }
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Prints figures as a table and tells whether all are within their bars. */
export function report(rows: readonly BenchRow[]): boolean {
  for (const row of rows)
    console.log(
      `${row.ok ? '✓' : '✗'} ${row.name.padEnd(62)} ${row.value.toLocaleString('en', { maximumFractionDigits: 2 }).padStart(12)} ${row.unit.padEnd(8)} ${row.bar}`,
    )
  return rows.every((row) => row.ok)
}
