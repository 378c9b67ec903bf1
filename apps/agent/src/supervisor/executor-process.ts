import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { surroundingsOf } from '@weft/contract/core/environment'
import { fromExecutorSchema, type FromExecutor, type ToExecutor } from '../executor/protocol.ts'
import { describeError, type Logger } from '../log.ts'
import { killTree } from './process-tree.ts'

const PROGRAM = fileURLToPath(new URL('../executor/main.ts', import.meta.url))
/** Executors and their browsers yield to the supervisor: a busy page must not delay a renewal. */
const NICENESS = 5

export interface ExecutorEvents {
  message: (message: FromExecutor) => void
  /** The process is gone, with everything below it. */
  exit: () => void
}

/**
 * One executor process. It runs in a group of its own, so that Ctrl-C reaches only the supervisor, and it ends by itself
 * when the supervisor is gone.
 */
export class ExecutorProcess {
  readonly #child: ChildProcess
  readonly #logger: Logger
  #events: ExecutorEvents
  #gone = false
  #browserOpen = false
  runs = 0

  constructor(options: { dataDir: string; slot: number; logger: Logger; events: ExecutorEvents }) {
    const { dataDir, slot, logger, events } = options
    this.#logger = logger
    this.#events = events
    const temporary = join(dataDir, 'tmp', String(slot))
    mkdirSync(temporary, { recursive: true, mode: 0o700 })
    this.#child = fork(PROGRAM, ['--data', `${dataDir}/`, '--slot', String(slot)], {
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // Browser profiles of a run stand below the data folder: what is left behind can be found and removed.
      env: {
        // Everything else of the environment, secrets above all, stays with the supervisor.
        ...surroundingsOf(process.env),
        TMPDIR: temporary,
        TEMP: temporary,
        TMP: temporary,
        // Playwright is large; its compiled form is kept from one executor to the next.
        NODE_COMPILE_CACHE: join(dataDir, 'cache'),
      },
    })
    const { pid } = this.#child
    if (pid !== undefined) {
      try {
        setPriority(pid, NICENESS)
      } catch {
        // Not allowed here; it only helps.
      }
    }
    this.#child.stderr?.on('data', (text: Buffer) =>
      logger.warn('An executor complained.', { slot, text: text.toString().slice(0, 2000) }),
    )
    this.#child.on('message', (raw) => this.#receive(raw))
    this.#child.on('error', (error) =>
      logger.error('An executor failed.', { slot, error: describeError(error) }),
    )
    this.#child.on('exit', () => this.#ended())
  }

  get alive(): boolean {
    return !this.#gone
  }

  get browserOpen(): boolean {
    return this.#browserOpen
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  send(message: ToExecutor): void {
    if (this.#gone || !this.#child.connected) return
    this.#child.send(message, (error) => {
      if (error) this.#logger.debug('An executor did not take a message.', { error: error.message })
    })
  }

  /** Ends the process and its browser at once. */
  kill(): void {
    if (this.#child.pid !== undefined && !this.#gone) killTree(this.#child.pid)
  }

  #ended(): void {
    if (this.#gone) return
    this.#gone = true
    this.#browserOpen = false
    this.#events.exit()
  }

  #receive(raw: unknown): void {
    const message = fromExecutorSchema.safeParse(raw)
    if (!message.success) {
      this.#logger.error('An executor spoke out of turn and was ended.', {
        error: message.error.message.slice(0, 500),
      })
      this.kill()
      return
    }
    if (message.data.type === 'browser') this.#browserOpen = message.data.open
    this.#events.message(message.data)
  }
}
