import type { AgentCommand, AgentSession } from '@weft/contract/agents/sessions'
import { INPUT_STALE_MS } from '@weft/contract/attended-runs/schema'
import { pause } from '../connection/backoff.ts'
import { Connection } from '../connection/connection.ts'
import type { HeartbeatState } from '../connection/heartbeat.ts'
import type { Identity } from '../connection/identity.ts'
import type { Instance } from '../connection/session.ts'
import { EXIT, type AgentExit, type ExitCode } from '../exit-codes.ts'
import { describeError, type Logger } from '../log.ts'
import type { Browser } from '../machine/browsers.ts'
import { MachineWatch, type MachineState } from '../machine/state.ts'
import { Documents } from './documents.ts'
import { Intake } from './intake.ts'
import type { Policy } from './policy.ts'
import { RunKeeper } from './run-keeper.ts'

/** Below this no new work is taken: what runs must still be able to write. */
const DISK_FLOOR_MB = 200
/** After a failed write no new work is taken for so long. */
const DISK_TROUBLE_MS = 60_000
const REPORT_MS = 5000
const WARM_EXECUTORS = 2

export interface SupervisorOptions {
  identity: Identity
  instance: Instance
  machineId: string
  dataDir: string
  slots: number
  browsers: Browser[]
  policy: Policy
  logger: Logger
  /** Ends the wait for a first session. */
  opening?: AbortSignal
  /** Looks at the machine; a test may look at another one. */
  look?: () => Promise<MachineState>
}

/** How the program leaves: finish what runs, stop it in order, or end it. */
export type StopMode = 'drain' | 'cancel' | 'now'
const STOP_ORDER: readonly StopMode[] = ['drain', 'cancel', 'now']

/**
 * The agent's own process: it has the connection and decides what work is taken and when the program leaves. Everything
 * that touches a page is left to executors, so a starved or wedged browser stops neither heartbeats nor renewals.
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #logger: Logger
  readonly #end = new AbortController()
  readonly #connection: Connection
  readonly #runs: RunKeeper
  readonly #intake: Intake
  readonly #look: () => Promise<MachineState>
  readonly #exit = Promise.withResolvers<ExitCode>()
  #loops: Promise<void>[] = []
  #admin: AgentSession['admin'] = 'enabled'
  #stopping: StopMode | null = null
  /** Nothing runs any more; the program ends. */
  #leaving = false
  #closing = false
  #diskTroubleAt = Number.NEGATIVE_INFINITY
  #diskFull = false
  /** How far this machine's clock is ahead of the server's. */
  #skewMs = 0
  #drainTimer: NodeJS.Timeout | undefined

  constructor(options: SupervisorOptions) {
    const { logger, opening } = options
    this.#options = options
    this.#logger = logger
    const watch = new MachineWatch(options.dataDir)
    this.#look = options.look ?? (() => watch.look())
    const { signal } = this.#end
    this.#connection = new Connection({
      ...options,
      signal: opening ? AbortSignal.any([signal, opening]) : signal,
      state: () => this.#state(),
      onCommand: (command) => this.#obey(command),
      onOpen: (session) => this.#opened(session),
      onRefused: (exit) => this.#refused(exit),
    })
    const { api } = this.#connection
    const runs = new RunKeeper({
      ...options,
      api,
      params: () => this.#connection.params,
      signal,
      onDiskTrouble: () => {
        this.#diskTroubleAt = performance.now()
        this.#connection.heartbeat.hurry()
      },
      onRoom: () => this.#intake.reconsider(),
    })
    this.#runs = runs
    this.#intake = new Intake({
      api,
      documents: new Documents(api),
      policy: options.policy,
      serverPublicKey: options.identity.serverPublicKey,
      logger,
      signal,
      room: () => (this.#refusal() === null ? runs.slots.free : 0),
      isHeld: (runId) => runs.has(runId),
      onStarting: (run, lease) => runs.starting(run, lease),
      onStarted: (runId, lease, cancel) => runs.started(runId, lease, cancel),
      onNotStarted: (runId, code) => runs.notStarted(runId, code),
    })
  }

  /** Resolves with the exit code once the program has nothing more to do. */
  get ended(): Promise<ExitCode> {
    return this.#exit.promise
  }

  /** Connects, delivers what an earlier life left, and takes work. */
  async start(): Promise<void> {
    await this.#connection.open()
    this.#loops = await this.#runs.open()
    this.#runs.slots.warm(Math.min(this.#runs.slots.count, WARM_EXECUTORS))
  }

  /** Leaves. Asking for more than before hurries, asking for less changes nothing; the server is told before it happens. */
  stop(mode: StopMode): void {
    if (this.#stopping !== null && STOP_ORDER.indexOf(mode) <= STOP_ORDER.indexOf(this.#stopping)) return
    const first = this.#stopping === null
    this.#stopping = mode
    this.#logger.info('Stopping.', { mode, running: this.#runs.busy })
    void this.#tellAndStop(mode, first)
  }

  async #tellAndStop(mode: StopMode, first: boolean): Promise<void> {
    await this.#tell()
    if (mode === 'drain')
      this.#drainTimer = setTimeout(() => this.stop('cancel'), this.#connection.params.drainSeconds * 1000)
    else this.#runs.cancelAll(mode === 'now' ? 'now' : 'graceful')
    if (first) await this.#leave()
  }

  /** Waits until nothing runs any more, then ends. */
  async #leave(): Promise<void> {
    while (this.#runs.busy > 0 || this.#intake.underway > 0) await pause(50)
    // What is delivered by then is delivered; the rest is on disk for the next start.
    const deadline = Date.now() + REPORT_MS
    while (this.#runs.size > 0 && Date.now() < deadline) await pause(20)
    this.#leaving = true
    // One that drained is not lost but gone, and the campaigns it worked for need not wait until it counts as such.
    if (this.#stopping === 'drain') await this.#tell()
    await this.#close(EXIT.ok)
  }

  async #close(code: ExitCode): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    clearTimeout(this.#drainTimer)
    await this.#runs.slots.close()
    this.#end.abort()
    await Promise.allSettled([this.#connection.close(), ...this.#loops])
    this.#exit.resolve(code)
  }

  /** Tells the server how the agent is, before it acts on it; at most five seconds. */
  async #tell(): Promise<void> {
    try {
      await this.#connection.heartbeat.beat({ timeoutMs: REPORT_MS })
    } catch (error) {
      this.#logger.warn('The server could not be told.', { error: describeError(error) })
    }
  }

  #told(): HeartbeatState['state'] {
    if (this.#stopping === null) return 'running'
    return this.#stopping === 'drain' && !this.#leaving ? 'draining' : 'stopping'
  }

  #refused(exit: AgentExit): void {
    this.#logger.error(exit.message)
    this.#runs.killAll()
    void this.#close(exit.exitCode)
  }

  #opened(session: AgentSession): void {
    this.#admin = session.admin
    this.#skewMs = session.clockSkewSeconds * 1000
    this.#runs.slots.resize(session.slots)
  }

  #obey(command: AgentCommand): void {
    switch (command.type) {
      case 'offer':
        this.#intake.offer(command)
        break
      case 'cancel':
        this.#runs.cancel(command.runId, { ...command, why: 'cancel' })
        break
      case 'admin':
        this.#admin = command.admin
        this.#runs.slots.resize(command.slots)
        break
      case 'attended':
        this.#runs.attended(command.runId, command)
        break
      case 'input':
        // The page has moved on since; a click would hit something else.
        if (Date.now() - this.#skewMs - Date.parse(command.at) < INPUT_STALE_MS)
          this.#runs.input(command.runId, command.sealed)
        break
      case 'params':
        break
    }
  }

  /** Why no work is taken just now. */
  #refusal(): string | null {
    if (this.#stopping !== null) return 'stopping'
    if (this.#admin !== 'enabled') return this.#admin
    if (this.#diskFull || performance.now() - this.#diskTroubleAt < DISK_TROUBLE_MS) return 'disk_full'
    return this.#options.browsers.length === 0 ? 'no_browser' : null
  }

  async #state(): Promise<HeartbeatState> {
    const machine = await this.#look()
    this.#diskFull = machine.diskFreeMb !== null && machine.diskFreeMb < DISK_FLOOR_MB
    const refusal = this.#refusal()
    const { slots } = this.#runs
    return {
      ...machine,
      slots: slots.all.map(({ index, runId }) => ({
        slot: index,
        runId,
        step: runId === null ? null : (this.#runs.stepOf(runId)?.slice(0, 200) ?? null),
      })),
      freeSlots: refusal === null ? Math.max(0, slots.free - this.#intake.underway) : 0,
      userIns: slots.browsersOpen,
      // What the operator decided is known to the server; these two it has to be told.
      refusing: refusal === 'disk_full' || refusal === 'no_browser' ? refusal : null,
      state: this.#told(),
    }
  }
}
