import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentParams } from '@weft/contract/agents/sessions'
import type { AgentRefusal } from '@weft/contract/agents/jobs'
import { openInput } from '@weft/contract/attended-runs/sealed'
import type { AgentApi } from '../connection/api.ts'
import { SNAPSHOT_FILE, type FromExecutor, type Reply, type RunEnd } from '../executor/protocol.ts'
import { describeError, type Logger } from '../log.ts'
import type { Browser } from '../machine/browsers.ts'
import { Finisher } from './finisher.ts'
import type { HeldRun, StopOrder } from './held-run.ts'
import type { StartedRun } from './intake.ts'
import { hashFile, RunJournal, type FinishBody, type NewEvent } from './journal.ts'
import { Leases, type CancelOrder } from './leases.ts'
import { LogUpload } from './log-upload.ts'
import type { Policy } from './policy.ts'
import { recover } from './recovery.ts'
import { Reporter } from './reporter.ts'
import { Requests } from './requests.ts'
import { closeSteps, lostBody, Settling } from './settling.ts'
import { Slots } from './slots.ts'

/** What a run that shall stop at once is given before its processes are ended. */
const NOW_GRACE_MS = 2000

/** A lease as a call's answer gave it: its length, and when the call was made. */
export interface GivenLease {
  seconds: number
  askedAt: number
}

export interface RunKeeperOptions {
  api: AgentApi
  params: () => AgentParams
  dataDir: string
  slots: number
  browsers: Browser[]
  policy: Policy
  logger: Logger
  signal: AbortSignal
  /** The disk does not take what has to be written. */
  onDiskTrouble: () => void
  /** A slot is free again. */
  onRoom: () => void
}

/**
 * Keeps the runs that this agent holds, from their claim until the server has settled them: leases, executors, journals,
 * cancellation. A run is written down before it starts, and its slot is free as soon as its executor is done with it.
 */
export class RunKeeper {
  readonly slots: Slots
  readonly #options: RunKeeperOptions
  readonly #logger: Logger
  readonly #runs = new Map<string, HeldRun>()
  readonly #runsDir: string
  readonly #reporter: Reporter
  readonly #leases: Leases
  readonly #settling: Settling
  readonly #requests: Requests

  constructor(options: RunKeeperOptions) {
    const { api, params, logger, signal, dataDir } = options
    this.#options = options
    this.#logger = logger
    this.#runsDir = join(dataDir, 'runs')
    mkdirSync(this.#runsDir, { recursive: true, mode: 0o700 })
    const reporter = new Reporter({
      api,
      logger,
      signal,
      onRefused: (runId, code) => this.#superseded(runId, code),
    })
    this.#reporter = reporter
    this.#leases = new Leases({
      api,
      params,
      logger,
      signal,
      onLost: (runId, code) => this.#superseded(runId, code),
      onCancel: (runId, order) => this.cancel(runId, { ...order, why: 'cancel' }),
    })
    const finisher = new Finisher({ api, reporter, logger, signal })
    this.#settling = new Settling({ api, reporter, finisher, params, logger, signal })
    this.#requests = new Requests({ api, reporter, signal })
    this.slots = new Slots({
      dataDir,
      count: options.slots,
      logger,
      events: {
        message: (runId, message, executor) =>
          this.#hear(runId, message, (id, reply) => executor.send({ type: 'reply', id, reply })),
        exit: (runId) => this.#executorGone(runId),
      },
    })
  }

  /** How many runs are at work; those that only wait to be delivered do not count. */
  get busy(): number {
    return [...this.#runs.values()].filter(({ slot }) => slot !== null).length
  }

  /** How many runs the server has not settled yet. */
  get size(): number {
    return this.#runs.size
  }

  has(runId: string): boolean {
    return this.#runs.has(runId)
  }

  /** The step that a run is at. */
  stepOf(runId: string): string | null {
    return this.#runs.get(runId)?.step ?? null
  }

  /** Takes up what an earlier life left, then reports and renews until the signal ends it. */
  async open(): Promise<Promise<void>[]> {
    const { api, params } = this.#options
    await recover({
      runsDir: this.#runsDir,
      api,
      params,
      logger: this.#logger,
      reporter: this.#reporter,
      settling: this.#settling,
    })
    return [this.#reporter.run(), this.#leases.run()]
  }

  /** Writes a claimed run down and gives it a slot, before the server hears that it starts. */
  starting({ holder, job, document }: StartedRun, lease: GivenLease): void {
    const journal = RunJournal.begin(this.#runsDir, holder)
    journal.onDiskTrouble = (error) => {
      this.#logger.error('The disk does not take what has to be written.', { error: describeError(error) })
      this.#options.onDiskTrouble()
    }
    journal.markStarting()
    const { api, params } = this.#options
    this.#runs.set(holder.runId, {
      journal,
      job,
      document,
      log: new LogUpload({ journal, api, params, logger: this.#logger }),
      slot: this.slots.occupy(holder.runId)?.index ?? null,
      begun: false,
      step: null,
      stop: null,
      killTimer: undefined,
      killed: false,
      uploads: new AbortController(),
      uploading: Promise.resolve(),
      inputs: Promise.resolve(),
    })
    this.#leases.hold(holder, lease.seconds, lease.askedAt)
  }

  /** The server knows that the run starts: its executor may begin. */
  started(runId: string, lease: GivenLease, cancel: CancelOrder | null): void {
    const run = this.#runs.get(runId)
    if (!run || run.begun) return
    this.#leases.hold(run.journal.holder, lease.seconds, lease.askedAt)
    if (cancel) this.cancel(runId, { ...cancel, why: 'cancel' })
    this.#begin(run)
  }

  /** The run may not start: nothing has happened. */
  notStarted(runId: string, code: AgentRefusal | 'unreachable'): void {
    const run = this.#runs.get(runId)
    if (!run) return
    this.#logger.info('A run was not started.', { run: runId, code })
    run.begun = true
    if (code === 'unreachable') {
      // The server may think that it began: it hears that it did not.
      this.#reporter.add(run.journal)
      const message = 'The server could not be reached to start it.'
      this.#ended(run, lostBody(run.journal, 'NotStarted', message))
      return
    }
    this.#forget(run)
    run.log.close()
    void run.journal.remove()
  }

  /** Stops a run. The same order comes by several ways; only a sharper one changes anything. */
  cancel(runId: string, order: StopOrder & { graceSeconds: number }): void {
    const run = this.#runs.get(runId)
    if (!run || run.slot === null) return
    const { mode, why, reason, graceSeconds } = order
    if (run.stop && (run.stop.mode === 'now' || mode === 'graceful')) return
    run.stop = { mode, why: run.stop?.why === 'cancel' ? 'cancel' : why, reason }
    if (!run.begun) return
    const executor = this.slots.executorOf(runId)
    executor?.send({ type: 'cancel', mode, reason })
    this.#reporter.release(runId)
    const graceMs = (graceSeconds + this.#options.params().cleanupSeconds) * 1000
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

  /** An attended run is told how long it may go on from now, and whether its person is done. */
  attended(runId: string, told: { secondsLeft: number; save: boolean }): void {
    const { secondsLeft, save } = told
    if (this.#runs.get(runId)?.begun)
      this.slots.executorOf(runId)?.send({ type: 'attended', secondsLeft, save })
  }

  /** Plays what a person does in an attended run; only whoever has the run's lease token could seal it. */
  input(runId: string, sealed: string): void {
    const run = this.#runs.get(runId)
    if (!run?.begun || run.slot === null) return
    const { leaseToken } = run.journal.holder
    run.inputs = run.inputs.then(() => this.#play(runId, leaseToken, sealed))
  }

  async #play(runId: string, leaseToken: string, sealed: string): Promise<void> {
    try {
      const events = await openInput(leaseToken, sealed)
      this.slots.executorOf(runId)?.send({ type: 'input', events })
    } catch {
      // Nothing of it is told: it may be what somebody typed.
      this.#logger.warn('Input could not be opened and was dropped.', { run: runId })
    }
  }

  /** Stops every run because the program stops. */
  cancelAll(mode: StopOrder['mode']): void {
    const graceSeconds = this.#options.params().cancelGraceSeconds
    for (const runId of this.#runs.keys())
      this.cancel(runId, { mode, why: 'agent', reason: 'The agent stops.', graceSeconds })
  }

  /** Ends every executor at once: this agent may not work any more. */
  killAll(): void {
    for (const [runId, run] of this.#runs) {
      run.killed = true
      this.slots.executorOf(runId)?.kill()
    }
  }

  #begin(run: HeldRun): void {
    const { journal, job, document, stop } = run
    const { runId } = journal.holder
    const executor = this.slots.executorOf(runId)
    run.begun = true
    this.#reporter.add(journal)
    if (stop) {
      // Nothing was done for it yet.
      const body = lostBody(journal, 'Cancelled', stop.reason || 'Cancelled before it began.')
      this.#ended(run, { ...body, result: stop.why === 'cancel' ? 'cancelled' : 'lost' })
      return
    }
    if (!executor) {
      this.#ended(run, lostBody(journal, 'ExecutorLost', 'There is no executor for it.'))
      return
    }
    const { policy, browsers, params } = this.#options
    const { cleanupSeconds, artifactCapBytes } = params()
    executor.send({
      type: 'run',
      job,
      document,
      folder: journal.folder,
      browsers,
      domainLimits: [job.allowedDomains, policy.domains ?? []].filter((list) => list.length > 0),
      params: { cleanupSeconds, artifactCapBytes },
    })
    this.#logger.info('A run began.', { run: runId, workflow: job.workflow?.name ?? null, slot: run.slot })
  }

  #hear(runId: string, message: FromExecutor, answer: (id: number, reply: Reply) => void): void {
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
        void this.#answer(run, message, answer)
        break
      case 'ended':
        void this.#executorEnded(run, message.end)
        break
    }
  }

  async #answer(
    run: HeldRun,
    { id, request }: Extract<FromExecutor, { type: 'request' }>,
    answer: (id: number, reply: Reply) => void,
  ): Promise<void> {
    answer(id, await this.#requests.answer(run, request))
  }

  #note(run: HeldRun, raw: unknown): void {
    try {
      // The journal reads it by the contract's schema.
      const event = run.journal.append(raw as NewEvent)
      if (event.type === 'stepStarted') run.step = event.name
      this.#reporter.notify()
    } catch (error) {
      const reason = describeError(error).slice(0, 500)
      this.#logger.error('An executor sent an event that is none.', { error: reason })
    }
  }

  async #executorEnded(run: HeldRun, end: RunEnd): Promise<void> {
    const { journal, stop } = run
    // A run that this program gave up is not an operator's cancellation: another attempt may follow.
    const givenUp = end.result === 'cancelled' && stop !== null && stop.why !== 'cancel'
    this.#ended(run, {
      ...end,
      result: givenUp ? 'lost' : end.result,
      snapshot: end.snapshot ? await this.#snapshotOf(journal, end.snapshot.expiresAt) : null,
      eventCount: journal.eventCount,
      logBytes: run.log.size,
    })
  }

  async #snapshotOf(journal: RunJournal, expiresAt: string | null): Promise<FinishBody['snapshot']> {
    const path = join(journal.folder, SNAPSHOT_FILE)
    try {
      return { sha256: await hashFile(path), size: statSync(path).size, expiresAt }
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
  #ended(run: HeldRun, body: FinishBody): void {
    const { runId } = run.journal.holder
    clearTimeout(run.killTimer)
    run.slot = null
    run.step = null
    this.slots.vacate(runId)
    this.#options.onRoom()
    void this.#settle(run, body)
  }

  async #settle(run: HeldRun, body: FinishBody): Promise<void> {
    try {
      await this.#settling.settle(run, body)
    } catch (error) {
      const { runId } = run.journal.holder
      this.#logger.error('A run is not settled.', { run: runId, error: describeError(error) })
    }
    this.#forget(run)
  }

  #forget(run: HeldRun): void {
    const { runId } = run.journal.holder
    this.#leases.release(runId)
    this.#reporter.remove(runId)
    this.slots.vacate(runId)
    this.#runs.delete(runId)
    this.#options.onRoom()
  }

  /** The hold on a run is gone, or about to go: it stops before another agent may have it. */
  #superseded(runId: string, code: AgentRefusal | 'unreachable'): void {
    const run = this.#runs.get(runId)
    if (!run || run.slot === null) return
    this.#logger.warn('A run is no longer held.', { run: runId, code })
    const why = code === 'cancelled' ? 'cancel' : 'lease'
    this.cancel(runId, { mode: 'now', why, reason: `The lease is gone (${code}).`, graceSeconds: 0 })
  }
}
