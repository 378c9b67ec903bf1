import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const END_MS = 30_000

/** Another machine with this product on it, where somebody runs a command line in a terminal. */
export class Machine {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'weft-machine-'))
  output = ''
  readonly #child: ChildProcess
  readonly #ended: Promise<number | null>

  /** Runs a line that starts an agent; only its folder, slots and name are this machine's own. */
  constructor(command: string, own: { name: string; slots: number }) {
    const [program = '', ...args] = command.split(' ')
    this.#child = spawn(program, args, {
      cwd: ROOT,
      env: {
        ...process.env,
        WEFT_AGENT_DATA_DIR: this.dataDir,
        WEFT_AGENT_NAME: own.name,
        WEFT_SLOTS: String(own.slots),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const note = (chunk: Buffer) => (this.output += chunk.toString('utf8'))
    this.#child.stdout?.on('data', note)
    this.#child.stderr?.on('data', note)
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve))
  }

  /** Asks it to stop, as a service manager does, and waits until it has; gives its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS)
    const code = await this.#ended
    clearTimeout(timer)
    return code
  }

  /** Stops it, if it still runs, and clears its folder. */
  async clear(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.stop()
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
