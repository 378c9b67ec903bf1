import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { TEST_KEY, type TestDatabase } from './cluster.ts'
import { freePort } from './free-port.ts'

const MAIN = join(import.meta.dirname, '../main.ts')

const started = new Set<ChildProcess>()
// Whatever becomes of a test, its servers do not outlive it.
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** The server as a process of its own, as it runs in production. */
export class Program {
  readonly port: number
  readonly child: ChildProcess
  #out = ''
  #err = ''

  constructor(port: number, env: Record<string, string>) {
    this.port = port
    this.child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'] ?? '',
        WEFT_PORT: String(port),
        WEFT_LOCAL_AGENT: '0',
        WEFT_PRACTICE_PORT: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.add(this.child)
    this.child.stdout?.on('data', (chunk: Buffer) => (this.#out += chunk.toString()))
    this.child.stderr?.on('data', (chunk: Buffer) => (this.#err += chunk.toString()))
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** What it said to people. */
  get out(): string {
    return this.#out
  }

  /** What it logged, and its one clear line where it could not start. */
  get err(): string {
    return this.#err
  }

  /** Waits until it says that it is ready; gives the milliseconds it took. */
  async ready(limitMs = 60_000): Promise<number> {
    const begun = performance.now()
    while (!this.#out.includes('WEFT is ready')) {
      if (this.child.exitCode !== null) throw new Error(`it ended: ${this.#err}`)
      if (performance.now() - begun > limitMs) throw new Error(`it is not ready: ${this.#err}`)
      await delay(10)
    }
    return performance.now() - begun
  }

  /** Sends a signal and waits for its end; gives its exit code and the milliseconds it took. */
  async end(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }> {
    const begun = performance.now()
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit')
      this.child.kill(signal)
      await ended
    }
    return { code: this.child.exitCode, ms: performance.now() - begun }
  }

  /** Waits for it to end by itself. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit')
    return this.child.exitCode
  }
}

/** Who may sign in at a shared program. */
export const PROGRAM_ADMIN = { username: 'admin', password: 'a secret of length' }

/** A server process on a test's database, ready, with an administrator. */
export async function programOn(
  database: TestDatabase,
  folder: string,
  more: Record<string, string> = {},
): Promise<Program> {
  const keyFile = join(folder, 'shared-key')
  await writeFile(keyFile, TEST_KEY.toString('base64'), { mode: 0o600 })
  const program = new Program(await freePort(), {
    WEFT_DATA_DIR: folder,
    WEFT_KEY_FILE: keyFile,
    DATABASE_URL: database.url,
    WEFT_ADMIN_USERNAME: PROGRAM_ADMIN.username,
    WEFT_ADMIN_PASSWORD: PROGRAM_ADMIN.password,
    ...more,
  })
  await program.ready()
  return program
}
