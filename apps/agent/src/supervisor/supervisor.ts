import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentCommand, AgentRefusal, AgentSession } from '@weft/contract/agents/schema'
import { Connection } from '../connection/connection.ts'
import type { HeartbeatState } from '../connection/heartbeat.ts'
import type { Identity } from '../connection/identity.ts'
import type { Instance } from '../connection/session.ts'
import { SNAPSHOT_FILE, type FromExecutor, type RunEnd } from '../executor/protocol.ts'
import { EXIT, type AgentExit, type ExitCode } from '../exit-codes.ts'
import { describeError, type Logger } from '../log.ts'
import type { Browser } from '../machine/browsers.ts'
import { MachineWatch, type MachineState } from '../machine/state.ts'
import { Documents } from './documents.ts'
import { Finisher } from './finisher.ts'
import type { HeldRun, StopOrder } from './held-run.ts'
import { Intake, type StartedRun } from './intake.ts'
import { hashFile, RunJournal, type NewEvent } from './journal.ts'
import { Leases } from './leases.ts'
import { LogUpload } from './log-upload.ts'
import type { Policy } from './policy.ts'
import { recover } from './recovery.ts'
import { Reporter } from './reporter.ts'
import { Requests } from './requests.ts'
import { closeSteps, lostBody, Settling } from './settling.ts'
import { Slots } from './slots.ts'

/** Below this no new work is taken: what runs must still be able to write. */
const DISK_FLOOR_MB = 200
const REPORT_MS = 5000
/** What a run that shall stop at once is given before its processes are ended. */
const NOW_GRACE_MS = 2000
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

/** How the program leaves. */
export type StopMode = 'drain' | 'cancel' | 'now'
const STOP_ORDER: readonly StopMode[] = ['drain', 'cancel', 'now']

/**
 * The agent's own process: it holds the connection, leases and journals, and leaves everything that touches a page to
 * executors. It guarantees that a run is never started twice here, that what happened is written down before it is
 * reported, and that work stops before its lease is over.
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #logger: Logger
  readonly #end = new AbortController()
  readonly #connection: Connection
  readonly #reporter: Reporter
  readonly #leases: Leases
  readonly #settling: Settling
  readonly #intake: Intake
  readonly #slots: Slots
  readonly #requests: Requests
  readonly #runs = new Map<string, HeldRun>()
  readonly #runsDir: string
  readonly #look: () => Promise<MachineState>
  readonly #exit = Promise.withResolvers<ExitCode>()
  #loops: Promise<void>[] = []
  #admin: AgentSession['admin'] = 'enabled'
  #stopping: StopMode | null = null
  #diskTroubleAt = Number.NEGATIVE_INFINITY
  #diskFull = false
  #drainTimer: NodeJS.Timeout | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#logger = options.logger
    this.#runsDir = join(options.dataDir, 'runs')
    mkdirSync(this.#runsDir, { recursive: true, mode: 0o700 })
    const watch = new MachineWatch(options.dataDir)
    this.#look = options.look ?? (() => watch.look())
    const { signal } = this.#end
    const { logger } = options
    this.#connection = new Connection({
      ...options,
      signal: options.opening ? AbortSignal.any([signal, options.opening]) : signal,
      state: () => this.#state(),
      onCommand: (command) => this.#obey(command),
      onOpen: (session) => this.#opened(session),
      onRefused: (exit) => this.#refused(exit),
    })
    const { api } = this.#connection
    const params = () => this.#connection.params
    this.#reporter = new Reporter({
      api,
      logger,
      signal,
      onRefused: (runId, code) => this.#superseded(runId, code),
    })
    this.#leases = new Leases({
      api,
      params,
      logger,
      signal,
      onLost: (runId, code) => this.#superseded(runId, code),
      onCancel: (runId, order) => this.#cancel(runId, { ...order, why: 'cancel' }),
    })
    const finisher = new Finisher({ api, reporter: this.#reporter, logger, signal })
    this.#settling = new Settling({ api, reporter: this.#reporter, finisher, params, logger, signal })
    this.#requests = new Requests({ api, reporter: this.#reporter, signal })
    this.#slots = new Slots({
      dataDir: options.dataDir,
      count: options.slots,
      logger,
      events: {
        message: (runId, message, executor) => this.#hear(runId, message, (reply) => executor.send(reply)),
        exit: (runId) => this.#executorGone(runId),
      },
    })
    this.#intake = new Intake({
      api,
      documents: new Documents(api),
      policy: options.policy,
      serverPublicKey: options.identity.serverPublicKey,
      logger,
      signal,
      room: () => (this.#refusal() === null ? this.#slots.free : 0),
      isHeld: (runId) => this.#runs.has(runId),
      onStarting: (run, lease) => this.#starting(run, lease),
      onStarted: (runId, lease, cancel) => {
        const run = this.#runs.get(runId)
        if (!run) return
        this.#leases.hold(run.journal.holder, lease.seconds, lease.askedAt)
        if (cancel) this.#cancel(runId, { ...cancel, why: 'cancel' })
        this.#begin(run)
      },
      onNotStarted: (runId, code) => this.#notStarted(runId, code),
    })
  }

  /** Resolves with the exit code once the program has nothing more to do. */
  get ended(): Promise<ExitCode> {
    return this.#exit.promise
  }

  /** Connects, delivers what an earlier life left, and takes work. */
  async start(): Promise<void> {
    await this.#connection.open()
    await recover({
      runsDir: this.#runsDir,
      api: this.#connection.api,
      params: () => this.#connection.params,
      logger: this.#logger,
      reporter: this.#reporter,
      settling: this.#settling,
    })
    this.#loops = [this.#reporter.run(), this.#leases.run()]
    this.#slots.warm(Math.min(this.#slots.count, WARM_EXECUTORS))
  }

  /**
   * Leaves: draining finishes what runs, cancelling stops it in order, now ends it. Asking for more than before hurries;
   * asking for less changes nothing. Each is told to the server first.
   */
  stop(mode: StopMode): void {
    if (this.#stopping !== null && STOP_ORDER.indexOf(mode) <= STOP_ORDER.indexOf(this.#stopping)) return
    const first = this.#stopping === null
    this.#stopping = mode
    this.#logger.info('Stopping.', { mode, running: this.#busy() })
    void this.#tellAndStop(mode, first)
  }

  async #tellAndStop(mode: StopMode, first: boolean): Promise<void> {
    await this.#tell()
    if (mode === 'drain')
      this.#drainTimer = setTimeout(() => this.stop('cancel'), this.#connection.params.drainSeconds * 1000)
    else
      for (const runId of this.#runs.keys())
        this.#cancel(runId, {
          mode: mode === 'now' ? 'now' : 'graceful',
          why: 'agent',
          reason: 'The agent stops.',
          graceSeconds: this.#connection.params.cancelGraceSeconds,
        })
    if (first) await this.#leave()
  }

  /** Waits until nothing is held any more (or, told to go now, until nothing runs), then ends. */
  async #leave(): Promise<void> {
    while (this.#busy() > 0 || this.#intake.underway > 0) await sleep(50)
    // What is delivered is delivered; the rest is on disk for the next start.
    const deadline = Date.now() + REPORT_MS
    while (this.#runs.size > 0 && Date.now() < deadline) await sleep(20)
    await this.#close(EXIT.ok)
  }

  async #close(code: ExitCode): Promise<void> {
    clearTimeout(this.#drainTimer)
    await this.#slots.close()
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

  #refused(exit: AgentExit): void {
    this.#logger.error(exit.message)
    for (const run of this.#runs.values()) {
      run.killed = true
      this.#slots.executorOf(run.journal.holder.runId)?.kill()
    }
    void this.#close(exit.exitCode)
  }

  #opened(session: AgentSession): void {
    this.#admin = session.admin
    this.#slots.resize(session.slots)
  }

  #obey(command: AgentCommand): void {
    switch (command.type) {
      case 'offer':
        this.#intake.offer(command)
        break
      case 'cancel':
        this.#cancel(command.runId, { ...command, why: 'cancel' })
        break
      case 'admin':
        this.#admin = command.admin
        this.#slots.resize(command.slots)
        break
      case 'params':
        break
    }
  }

  /** Why no work is taken just now. */
  #refusal(): string | null {
    if (this.#stopping !== null) return 'stopping'
    if (this.#admin !== 'enabled') return this.#admin
    if (this.#diskFull || performance.now() - this.#diskTroubleAt < 60_000) return 'disk_full'
    return this.#options.browsers.length === 0 ? 'no_browser' : null
  }

  async #state(): Promise<HeartbeatState> {
    const machine = await this.#look()
    this.#diskFull = machine.diskFreeMb !== null && machine.diskFreeMb < DISK_FLOOR_MB
    const refusal = this.#refusal()
    const own = refusal === 'disk_full' || refusal === 'no_browser'
    return {
      ...machine,
      slots: this.#slots.all.map(({ index, runId }) => ({
        slot: index,
        runId,
        step: (runId !== null && this.#runs.get(runId)?.step?.slice(0, 200)) || null,
      })),
      freeSlots: refusal === null ? Math.max(0, this.#slots.free - this.#intake.underway) : 0,
      userIns: this.#slots.browsersOpen,
      refusing: own ? refusal : null,
      state: this.#stopping === null ? 'running' : this.#stopping === 'drain' ? 'draining' : 'stopping',
    }
  }

  #starting({ holder, job, document }: StartedRun, lease: { seconds: number; askedAt: number }): void {
    const journal = RunJournal.begin(this.#runsDir, holder)
    journal.onDiskTrouble = (error) => this.#diskTrouble(error)
    journal.markStarting()
    const log = new LogUpload({
      journal,
      api: this.#connection.api,
      params: () => this.#connection.params,
      logger: this.#logger,
    })
    const run: HeldRun = {
      journal,
      job,
      document,
      log,
      slot: null,
      begun: false,
      step: null,
      stop: null,
      killTimer: undefined,
      killed: false,
      uploads: new AbortController(),
      uploading: Promise.resolve(),
    }
    this.#runs.set(holder.runId, run)
    this.#leases.hold(holder, lease.seconds, lease.askedAt)
    run.slot = this.#slots.occupy(holder.runId)?.index ?? null
  }

  #begin(run: HeldRun): void {
    const { journal, job, document, stop } = run
    const { runId } = journal.holder
    const executor = this.#slots.executorOf(runId)
    if (run.begun) return
    run.begun = true
    this.#reporter.add(journal)
    if (stop) return this.#finishWithout(run, stop)
    if (!executor) return this.#ended(run, lostBody(journal, 'ExecutorLost', 'There is no executor for it.'))
    const { policy, browsers } = this.#options
    const { cleanupSeconds, logCapBytes, artifactCapBytes } = this.#connection.params
    executor.send({
      type: 'run',
      job,
      document,
      folder: journal.folder,
      browsers,
      domainLimits: [job.allowedDomains, policy.domains ?? []].filter((list) => list.length > 0),
      params: { cleanupSeconds, logCapBytes, artifactCapBytes },
    })
    this.#logger.info('A run began.', { run: runId, workflow: job.workflow.name, slot: run.slot })
  }

  /** Nothing was done for a run that was told to stop before its executor had it. */
  #finishWithout(run: HeldRun, stop: StopOrder): void {
    const result = stop.why === 'cancel' ? 'cancelled' : 'lost'
    const body = lostBody(run.journal, 'Cancelled', stop.reason || 'Cancelled before it began.')
    this.#ended(run, { ...body, result })
  }

  #notStarted(runId: string, code: AgentRefusal | 'unreachable'): void {
    const run = this.#runs.get(runId)
    if (!run) return
    this.#logger.info('A run was not started.', { run: runId, code })
    run.begun = true
    if (code === 'unreachable') {
      // The server may think that it began: it hears that it did not.
      this.#reporter.add(run.journal)
      this.#ended(run, lostBody(run.journal, 'NotStarted', 'The server could not be reached to start it.'))
      return
    }
    this.#forget(run)
    run.log.close()
    void run.journal.remove()
  }

  #hear(
    runId: string,
    message: FromExecutor,
    answer: (reply: { type: 'reply'; id: number; reply: Awaited<ReturnType<Requests['answer']>> }) => void,
  ): void {
    const run = this.#runs.get(runId)
    if (!run || run.slot === null) return
    switch (message.type) {
      case 'ready':
      case 'browser':
        break
      case 'event':
        this.#note(run, message.event)
        break
      case 'log':
        run.log.append(message.text)
        break
      case 'file':
        run.journal.addFile(message.file)
        this.#settling.queueFile(run, message.file)
        break
      case 'request':
        void this.#requests
          .answer(run, message.request)
          .then((reply) => answer({ type: 'reply', id: message.id, reply }))
        break
      case 'ended':
        void this.#executorEnded(run, message.end)
        break
    }
  }

  #note(run: HeldRun, raw: unknown): void {
    try {
      const event = run.journal.append(raw as NewEvent)
      if (event.type === 'stepStarted') run.step = event.name
      this.#reporter.notify()
    } catch (error) {
      this.#logger.error('An executor sent an event that is none.', {
        error: describeError(error).slice(0, 500),
      })
    }
  }

  async #executorEnded(run: HeldRun, end: RunEnd): Promise<void> {
    const { journal, stop } = run
    let { result } = end
    // A run that this program gave up is not the operator's cancellation: another attempt may follow.
    if (result === 'cancelled' && stop && stop.why !== 'cancel') result = 'lost'
    const body = {
      ...end,
      result,
      snapshot: end.snapshot ? await this.#snapshotOf(journal) : null,
      eventCount: journal.eventCount,
      logBytes: run.log.size,
    }
    this.#ended(run, body)
  }

  async #snapshotOf(journal: RunJournal): Promise<{ sha256: string; size: number } | null> {
    const path = join(journal.folder, SNAPSHOT_FILE)
    try {
      return { sha256: await hashFile(path), size: statSync(path).size }
    } catch (error) {
      this.#logger.error('A saved profile cannot be read.', { error: describeError(error) })
      return null
    }
  }

  #executorGone(runId: string): void {
    const run = this.#runs.get(runId)
    if (!run || run.slot === null) return
    const { journal, stop, killed } = run
    const cancelled = stop?.why === 'cancel'
    const message = killed
      ? 'It did not stop in time and its processes were ended.'
      : 'Its executor ended unexpectedly.'
    const body = lostBody(journal, killed ? 'Killed' : 'ExecutorLost', message)
    closeSteps(journal, cancelled ? 'Cancelled' : 'ExecutorLost', message)
    this.#ended(run, { ...body, result: cancelled ? 'cancelled' : 'lost' })
  }

  /** The executor is done with a run: its slot is free, the rest is delivery. */
  #ended(run: HeldRun, body: Parameters<Settling['settle']>[1]): void {
    const { runId } = run.journal.holder
    clearTimeout(run.killTimer)
    run.slot = null
    run.step = null
    this.#slots.vacate(runId)
    this.#settling
      .settle(run, body)
      .catch((error: unknown) =>
        this.#logger.error('A run is not settled.', { run: runId, error: describeError(error) }),
      )
      .finally(() => this.#forget(run))
  }

  #forget(run: HeldRun): void {
    const { runId } = run.journal.holder
    this.#leases.release(runId)
    this.#reporter.remove(runId)
    this.#slots.vacate(runId)
    this.#runs.delete(runId)
  }

  /** The hold on a run is gone, or about to go: it stops before another agent may have it. */
  #superseded(runId: string, code: AgentRefusal | 'unreachable'): void {
    const run = this.#runs.get(runId)
    if (!run || run.slot === null) return
    this.#logger.warn('A run is no longer held.', { run: runId, code })
    const why = code === 'cancelled' ? 'cancel' : 'lease'
    this.#cancel(runId, { mode: 'now', why, reason: `The lease is gone (${code}).`, graceSeconds: 0 })
  }

  #cancel(runId: string, order: StopOrder & { graceSeconds: number }): void {
    const run = this.#runs.get(runId)
    if (!run || run.slot === null) return
    const { mode, why, reason, graceSeconds } = order
    // The same order comes by several ways; only a sharper one changes anything.
    if (run.stop && (run.stop.mode === 'now' || mode === 'graceful')) return
    run.stop = { mode, why: run.stop?.why === 'cancel' ? 'cancel' : why, reason }
    const executor = this.#slots.executorOf(runId)
    if (!run.begun) return
    executor?.send({ type: 'cancel', mode, reason })
    this.#reporter.release(runId)
    const graceMs = (graceSeconds + this.#connection.params.cleanupSeconds) * 1000
    clearTimeout(run.killTimer)
    run.killTimer = setTimeout(
      () => {
        run.killed = true
        this.#logger.warn('A run did not stop in time; its processes are ended.', { run: runId })
        executor?.kill()
      },
      mode === 'now' ? NOW_GRACE_MS : graceMs,
    )
  }

  #diskTrouble(error: unknown): void {
    this.#diskTroubleAt = performance.now()
    this.#logger.error('The disk does not take what has to be written.', { error: describeError(error) })
    this.#connection.heartbeat.hurry()
  }

  #busy(): number {
    return [...this.#runs.values()].filter(({ slot }) => slot !== null).length
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
