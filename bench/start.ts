import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { median, report, type BenchRow } from './support/server.ts'

const ROOT = join(import.meta.dirname, '..')
const SECOND_STARTS = 5
const IDLE_MS = 15_000
const LIMIT_MS = 120_000

/** `npm start` in an installation of its own, with all that comes with it: practice site and local agent. */
class Installation {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'weft-start-'))
  readonly #env: Record<string, string>
  readonly #url: string
  #npm: ChildProcess | null = null

  private constructor(port: number, practicePort: number) {
    this.#url = `http://127.0.0.1:${port}`
    this.#env = {
      WEFT_DATA_DIR: this.dataDir,
      WEFT_PORT: String(port),
      WEFT_PRACTICE_PORT: String(practicePort),
      WEFT_LOG_LEVEL: 'error',
      WEFT_ADMIN_USERNAME: 'bench',
      WEFT_ADMIN_PASSWORD: 'bench-password-1',
    }
  }

  static async make(): Promise<Installation> {
    return new Installation(await freePort(), await freePort())
  }

  /** Starts it; gives the milliseconds from the command to the first good answer. */
  async start(): Promise<number> {
    const begun = performance.now()
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.#npm = npm
    for (;;) {
      const ready = await fetch(`${this.#url}/health/ready`).catch(() => null)
      if (ready?.ok) return performance.now() - begun
      if (npm.exitCode !== null || performance.now() - begun > LIMIT_MS)
        throw new Error('npm start did not come to its end')
      await sleep(10)
    }
  }

  /** Ends the server in good order; npm ends with it. */
  async stop(): Promise<void> {
    const npm = this.#npm
    if (!npm || npm.exitCode !== null) return
    const ended = new Promise((resolve) => npm.once('close', resolve))
    process.kill(this.#serverPid(), 'SIGTERM')
    await ended
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Resident memory of the server process. */
  rssMb(): number {
    const status = readFileSync(`/proc/${this.#serverPid()}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  }

  /** The server is somewhere below npm. */
  #serverPid(): number {
    const below = [this.#npm?.pid ?? 0]
    for (let pid = below.shift(); pid !== undefined; pid = below.shift()) {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('apps/server/src/main.ts')) return pid
      for (const task of readdirSync(`/proc/${pid}/task`))
        below.push(
          ...readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
            .split(' ')
            .filter(Boolean)
            .map(Number),
        )
    }
    throw new Error('the server is not there')
  }
}

/** How long `npm start` takes the first time and afterwards, and what the server holds when nobody asks anything of it. */
export async function run(): Promise<BenchRow[]> {
  // What has to be built is built by a start that does not count.
  const warm = await Installation.make()
  await warm.start()
  await warm.remove()
  const installation = await Installation.make()
  try {
    const first = await installation.start()
    // The local agent joins and the first campaign is made.
    await sleep(5_000)
    const seconds: number[] = []
    for (let round = 0; round < SECOND_STARTS; round += 1) {
      await installation.stop()
      seconds.push(await installation.start())
    }
    await sleep(IDLE_MS)
    const idle = installation.rssMb()
    const second = median(seconds) / 1000
    return [
      { name: 'first npm start on an empty data folder', value: first / 1000, unit: 's', bar: '', ok: true },
      {
        name: `second npm start, median of ${SECOND_STARTS}`,
        value: second,
        unit: 's',
        bar: '≤ 3',
        ok: second <= 3,
      },
      { name: 'memory of the idle server', value: idle, unit: 'MB', bar: '≤ 250', ok: idle <= 250 },
    ]
  } finally {
    await installation.remove()
  }
}

if (import.meta.main) process.exitCode = report(await run()) ? 0 : 1
